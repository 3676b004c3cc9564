import { AppError } from '@weir/contracts';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Principal } from './principal.js';
import type { Request } from './request.js';
import { HttpProblem } from './status.js';

/** A session of a workspace, one of the operator, and a sign-in that is under way at the identity provider. */
type Kind = 'session' | 'operator' | 'login';

export const COOKIE_NAME = 'weir_session';
/** A person has this long to sign in at the provider. */
const LOGIN_S = 600;

/** The operator's cookie goes along with the operator's routes alone. */
const PATHS: Record<Kind, string> = { session: '/', login: '/', operator: '/admin' };

const isSecure = ({ protocol }: Request): boolean => protocol === 'https';

/** Keeps sibling hosts and plain HTTP from setting the cookie. Browsers take it over HTTPS only. */
const prefixOf = (kind: Kind) => (PATHS[kind] === '/' ? '__Host-' : '__Secure-');

/** Cookies do not know ports. Without the port in the name, two servers on one host would sign each other out. */
const portOf = ({ host }: Request): string => /:(\d{1,5})$/.exec(host)?.[1] ?? '';

const nameFor = (request: Request, kind: Kind): string =>
  [isSecure(request) ? prefixOf(kind) : '', `weir_${kind}`, portOf(request) && `_${portOf(request)}`].join('');

/** The value of a cookie. Undefined without one. */
export function cookieIn(request: Request, kind: Kind): string | undefined {
  const { cookie } = request.headers;
  return cookie === undefined ? undefined : parseCookie(cookie)[nameFor(request, kind)] || undefined;
}

/** The secret of the session cookie. */
export const sessionSecretOf = (request: Request): string | undefined => cookieIn(request, 'session');

const common = (request: Request, kind: Kind) =>
  ({ name: nameFor(request, kind), httpOnly: true, path: PATHS[kind], secure: isSecure(request) }) as const;

/** `Set-Cookie` of a session. Scripts cannot read the cookie, and requests that other sites cause do not carry it. */
export const sessionCookie = (
  request: Request,
  value: string,
  maxAgeMs: number,
  kind: 'session' | 'operator' = 'session',
): string =>
  stringifySetCookie({
    ...common(request, kind),
    value,
    sameSite: 'strict',
    maxAge: Math.max(0, Math.floor(maxAgeMs / 1_000)),
  });

/** `Set-Cookie` that removes the session from the browser. */
export const noSessionCookie = (request: Request, kind: 'session' | 'operator' = 'session'): string =>
  sessionCookie(request, '', 0, kind);

/** `Set-Cookie` of a sign-in. Empty: removes it. Lax, because the browser comes back from another site. */
export const loginCookie = (request: Request, value: string): string =>
  stringifySetCookie({
    ...common(request, 'login'),
    value,
    sameSite: 'lax',
    maxAge: value === '' ? 0 : LOGIN_S,
  });

/** Methods that change nothing (RFC 9110 9.2.1). */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

export const FOREIGN_PAGE =
  'A session changes things only for pages of this server: the request must carry its Origin, or Sec-Fetch-Site: same-origin';

/**
 * Refuses requests that a page of another site, or of a sibling host, sends in a browser. Trusts what the browser says first,
 * and compares the origin with the host where it says nothing (plain HTTP). Requests of other programs carry neither header.
 */
export function requireOwnPage(request: Request, { ofSession }: { ofSession: boolean }): void {
  const { 'sec-fetch-site': site, origin } = request.headers;
  const isSafe = SAFE.has(request.method);
  if (site !== undefined) {
    // `none`: the user opened the address, for example a download.
    if (site === 'same-origin' || (isSafe && site === 'none')) return;
  } else if (origin !== undefined) {
    if (isOwnOrigin(origin, request)) return;
  } else if (isSafe || !ofSession) return;
  throw new AppError('forbidden', FOREIGN_PAGE);
}

/** Names the session that a page shows. Optional, because only pages have two of them in one browser. */
export const SHOWN_SESSION_HEADER = 'weir-session';

/**
 * Refuses a page that shows another session than the one of its cookie. The tabs of a browser share the cookie: after a sign-in in one of
 * them, another would write what it shows of one workspace into a different one.
 */
export function requireShownSession({ headers }: Request, { sessionId }: Pick<Principal, 'sessionId'>): void {
  const shown = headers[SHOWN_SESSION_HEADER];
  if (shown !== undefined && shown !== sessionId)
    throw new HttpProblem(
      409,
      'OTHER_SESSION',
      'This browser has signed in again since the page was loaded: load it again',
    );
}

/** Compares with the host that the request names. Fastify takes `X-Forwarded-*` from trusted proxies only. */
function isOwnOrigin(origin: string, { host, protocol }: Request): boolean {
  if (!URL.canParse(origin)) return false;
  const from = new URL(origin);
  // A proxy that ends TLS without being trusted makes https look like http, never the other way.
  if (protocol === 'https' && from.protocol !== 'https:') return false;
  const own = `${from.protocol}//${host}`;
  return URL.canParse(own) && new URL(own).host === from.host && from.host !== '';
}

/**
 * Whether a script of a page asks. A Basic challenge would make its browser ask the user for a password. Node's `fetch` sends a
 * mode too, but no site.
 */
export const isScript = ({ headers }: Request): boolean =>
  headers['sec-fetch-site'] !== undefined && headers['sec-fetch-mode'] !== 'navigate';
