import { WeirError } from '@weir/client';

/** Whether the API knows nothing by this id: it was deleted, or has not come yet. */
export const isUnknown = (error: unknown): boolean => error instanceof WeirError && error.status === 404;

/** A refusal stays one: only a server that is away or failing comes back. */
export const mayHeal = (error: unknown): boolean =>
  !(error instanceof WeirError) || error.status === 0 || error.status === 429 || error.status >= 500;
