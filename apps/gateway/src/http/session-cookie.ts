import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request } from './request.js';

/** The prefix keeps sibling hosts and plain HTTP from setting the cookie. Browsers take it over HTTPS only. */
const SECURE_NAME = '__Host-weir_session';
export const COOKIE_NAME = 'weir_session';

const isSecure = ({ protocol }: Request): boolean => protocol === 'https';
const nameFor = (request: Request): string => (isSecure(request) ? SECURE_NAME : COOKIE_NAME);

/** The secret of the session cookie. Undefined without one. */
export function sessionSecretOf(request: Request): string | undefined {
  const { cookie } = request.headers;
  return cookie === undefined ? undefined : parseCookie(cookie)[nameFor(request)] || undefined;
}

/** `Set-Cookie` of a session. Scripts cannot read the cookie, and requests that other sites cause do not carry it. */
export function sessionCookie(request: Request, secret: string, maxAgeMs: number): string {
  return stringifySetCookie({
    name: nameFor(request),
    value: secret,
    httpOnly: true,
    sameSite: 'strict',
    path: '/',
    secure: isSecure(request),
    maxAge: Math.max(0, Math.floor(maxAgeMs / 1_000)),
  });
}

/** `Set-Cookie` that removes the session from the browser. */
export const noSessionCookie = (request: Request): string => sessionCookie(request, '', 0);
