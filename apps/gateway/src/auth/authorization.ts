/** Content of an `Authorization: Basic` header. Either part may be empty. */
export interface BasicCredentials {
  user: string;
  password: string;
}

/**
 * Reads `Basic base64(user:password)` (RFC 7617). The header must start with the scheme, and the user ends at the first colon.
 * Undefined if the header is missing or malformed.
 */
export function readBasic(header: string | undefined): BasicCredentials | undefined {
  const encoded = /^basic +([A-Za-z0-9+/_-]+={0,2}) *$/i.exec(header ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0) return undefined;
  return { user: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** Reads `Bearer token`. Never reads a token from query or body, where it would reach logs. */
export function readBearer(header: string | undefined): string | undefined {
  return /^bearer +(\S+) *$/i.exec(header ?? '')?.[1];
}
