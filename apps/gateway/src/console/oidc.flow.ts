import { createHmac } from 'node:crypto';
import type { Grant } from './oidc.config.js';
import { newSecret } from './secret.js';

/** The values that one sign-in needs at its start and at its end. */
export interface Flow {
  state: string;
  nonce: string;
  verifier: string;
  returnTo: string;
  /** Value of the cookie that carries the sign-in through the provider. */
  cookie: string;
}

const CONSOLE = '/console';
/** No state of the page needs more. Longer ones lead to the start. */
const RETURN_CHARS_MAX = 1_024;

/**
 * The browser keeps the sign-in, so gateways keep nothing of callers who may never come back, and any gateway can end it. State,
 * nonce and verifier follow from one random secret, which no address shows.
 */
export function flowOf(secret: string, returnTo: string): Flow {
  const derive = (use: string) => createHmac('sha256', secret).update(use).digest('base64url');
  const cookie = `${secret}.${Buffer.from(returnTo).toString('base64url')}`;
  return { state: derive('state'), nonce: derive('nonce'), verifier: derive('verifier'), returnTo, cookie };
}

export const newFlow = (returnTo: string | undefined): Flow => flowOf(newSecret(), safePath(returnTo));

/** Undefined for a cookie of another form. */
export function flowIn(cookie: string | undefined): Flow | undefined {
  const [secret = '', path = ''] = cookie?.split('.', 2) ?? [];
  if (!/^[\w-]{43}$/.test(secret)) return undefined;
  return flowOf(secret, safePath(Buffer.from(path, 'base64url').toString('utf8')));
}

const ANYWHERE = 'http://console.invalid';

/** A path of the console, as a browser would read it. Anything that leads elsewhere becomes the start. */
export function safePath(text: string | undefined): string {
  if (text === undefined || text.length > RETURN_CHARS_MAX || !URL.canParse(text, ANYWHERE)) return CONSOLE;
  const { origin, pathname, search, hash } = new URL(text, ANYWHERE);
  const isOwn = origin === ANYWHERE && (pathname === CONSOLE || pathname.startsWith(`${CONSOLE}/`));
  return isOwn ? pathname + search + hash : CONSOLE;
}

/** The first grant whose group the person has. Providers send one group as a text and several as a list. */
export function grantOf(grants: readonly Grant[], claim: unknown): Grant | undefined {
  const groups = new Set([claim].flat());
  return grants.find(({ group }) => groups.has(group));
}
