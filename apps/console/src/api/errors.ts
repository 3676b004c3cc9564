import { WeirError } from '@weir/client';

/** Whether the API knows nothing by this id: it was deleted, or has not come yet. */
export const isUnknown = (error: unknown): boolean => error instanceof WeirError && error.status === 404;

/** Status for a page that shows another session than that of the browser. The page learns of it, and asks again. A taken name has it, too. */
export const OTHER_SESSION = 409;

/** A refusal stays one: only a server that is away or failing comes back, and a session that this page has yet to hear of. */
export const mayHeal = (error: unknown): boolean =>
  !(error instanceof WeirError) || [0, OTHER_SESSION, 429].includes(error.status) || error.status >= 500;
