import { setTimeout as delay } from 'node:timers/promises';

const DEFAULT_TIMEOUT_MS = 20_000;
const EVERY_MS = 20;

/** Resolves with the first result that is neither undefined nor false. The error after the timeout names `what`. */
export async function until<T>(
  what: string,
  probe: () => T | undefined | false | Promise<T | undefined | false>,
  timeoutMs = DEFAULT_TIMEOUT_MS,
): Promise<T> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const found = await probe();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > end) throw new Error(`waited ${timeoutMs} ms for ${what}`);
    await delay(EVERY_MS);
  }
}
