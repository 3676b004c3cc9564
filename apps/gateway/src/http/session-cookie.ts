import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request } from './request.js';

/** The session, and a sign-in that is under way at the identity provider. */
type Kind = 'session' | 'login';

export const COOKIE_NAME = 'weir_session';
/** A person has this long to sign in at the provider. */
const LOGIN_S = 600;

const isSecure = ({ protocol }: Request): boolean => protocol === 'https';

/** The prefix keeps sibling hosts and plain HTTP from setting the cookie. Browsers take it over HTTPS only. */
const nameFor = (request: Request, kind: Kind): string => `${isSecure(request) ? '__Host-' : ''}weir_${kind}`;

/** The value of a cookie. Undefined without one. */
export function cookieIn(request: Request, kind: Kind): string | undefined {
  const { cookie } = request.headers;
  return cookie === undefined ? undefined : parseCookie(cookie)[nameFor(request, kind)] || undefined;
}

/** The secret of the session cookie. */
export const sessionSecretOf = (request: Request): string | undefined => cookieIn(request, 'session');

const common = (request: Request, kind: Kind) =>
  ({ name: nameFor(request, kind), httpOnly: true, path: '/', secure: isSecure(request) }) as const;

/** `Set-Cookie` of a session. Scripts cannot read the cookie, and requests that other sites cause do not carry it. */
export const sessionCookie = (request: Request, value: string, maxAgeMs: number): string =>
  stringifySetCookie({
    ...common(request, 'session'),
    value,
    sameSite: 'strict',
    maxAge: Math.max(0, Math.floor(maxAgeMs / 1_000)),
  });

/** `Set-Cookie` that removes the session from the browser. */
export const noSessionCookie = (request: Request): string => sessionCookie(request, '', 0);

/** `Set-Cookie` of a sign-in. Empty: removes it. Lax, because the browser comes back from another site. */
export const loginCookie = (request: Request, value: string): string =>
  stringifySetCookie({
    ...common(request, 'login'),
    value,
    sameSite: 'lax',
    maxAge: value === '' ? 0 : LOGIN_S,
  });
