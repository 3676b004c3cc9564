/** A program that ends sooner than this after it was ready has not recovered. */
export const QUICK_FAILURE_MS = 2_000;
/** After this many quick failures in a row (about 15 s including waits), the fault is permanent. */
export const QUICK_FAILURES_MAX = 8;

const FIRST_WAIT_MS = 50;
const WAIT_MS_MAX = 5_000;

/** Wait before the next start: short after a single fault, longer when it repeats. */
export const backoffMs = (quickFailures: number): number => Math.min(FIRST_WAIT_MS * 2 ** quickFailures, WAIT_MS_MAX);
