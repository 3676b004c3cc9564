import { type Answer, createClient, NO_ANSWER, type Schema, unwrap, WeirError } from '@weir/client';

/** One repetition of what was put off. A panel that still fails heals by itself (query-client.ts). */
const RETRIES = { limit: 1, longestWaitMs: 2_000 };

/** The session that this page shows. */
let shown: string | undefined;
export const shownSession = (): string | undefined => shown;
export const showSession = (id: string): void => {
  shown = id;
};

/** The question who is signed in is the only one that any session may answer. */
const asksWho = ({ method, url }: Request) => method === 'GET' && new URL(url).pathname === '/console/session';

/** Tabs share the cookie. The server refuses a request of a page that shows another session than that of the cookie. */
function send(request: Request): Promise<Response> {
  if (shown !== undefined && !asksWho(request)) request.headers.set('weir-session', shown);
  return fetch(request);
}

/** The API of this server. The browser adds the session cookie, so no request carries a token. */
export const api = createClient({ url: window.location.origin, fetch: send, retries: RETRIES });

export { type Schema, WeirError };

/** The data of an answer. Throws the {@link WeirError} of a refusal, and of a server that cannot be reached. */
export const answer = <Data>(request: Promise<Answer<Data>>): Promise<Data> => unwrap(request);

/** An object with its entity tag. A proxy that compresses makes the tag weak, and a weak one never matches (RFC 9110 13.1.1). */
export async function tagged<Data>(request: Promise<Answer<Data>>): Promise<{ data: Data; etag: string | undefined }> {
  const answered = await request;
  const etag = answered.response?.headers.get('etag')?.replace(/^W\//, '');
  return { data: await unwrap(answered), etag };
}

/** The header of a change to what was read under this tag. */
export const ifMatch = (etag: string | undefined) => (etag === undefined ? {} : { 'If-Match': etag });

/** The sentence to show for anything that was thrown. */
export function sentenceOf(error: unknown): string {
  if (error instanceof WeirError && error.code === NO_ANSWER) return 'Weir cannot be reached.';
  return error instanceof Error ? error.message : String(error);
}
