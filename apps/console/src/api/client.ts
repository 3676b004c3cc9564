import { type Answer, createClient, NO_ANSWER, type Schema, unwrap, WeirError } from '@weir/client';

/** One repetition of what was put off. A panel that still fails heals by itself (query-client.ts). */
const RETRIES = { limit: 1, longestWaitMs: 2_000 };

/** The API of this server. The browser adds the session cookie, so no request carries a token. */
export const api = createClient({ url: window.location.origin, retries: RETRIES });

export { type Schema, WeirError };

/** The data of an answer. Throws the {@link WeirError} of a refusal, and of a server that cannot be reached. */
export const answer = <Data>(request: Promise<Answer<Data>>): Promise<Data> => unwrap(request);

/** The sentence to show for anything that was thrown. */
export function sentenceOf(error: unknown): string {
  if (error instanceof WeirError && error.code === NO_ANSWER) return 'Weir cannot be reached.';
  return error instanceof Error ? error.message : String(error);
}
