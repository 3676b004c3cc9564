import { WeirError } from '@weir/client';

/** Whether the API knows nothing by this id: it was deleted, or has not come yet. */
export const isUnknown = (error: unknown): boolean => error instanceof WeirError && error.status === 404;

/** Whether this page shows another session than that of the browser. It learns of it, and asks again. Schemas tell no code. */
export const isOfOtherSession = (error: unknown): error is WeirError =>
  error instanceof WeirError && error.status === 409 && ['OTHER_SESSION', 'HTTP_409'].includes(error.code);

/** A refusal stays one: only a server that is away or failing comes back, and a session that this page has yet to hear of. */
export const mayHeal = (error: unknown): boolean =>
  !(error instanceof WeirError) ||
  error.status === 0 ||
  error.status === 429 ||
  error.status >= 500 ||
  isOfOtherSession(error);
