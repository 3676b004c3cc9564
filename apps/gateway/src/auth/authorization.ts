/** What an `Authorization: Basic` header carries. Either part may be empty. */
export interface BasicCredentials {
  user: string;
  password: string;
}

/**
 * Reads `Basic base64(user:password)` (RFC 7617): the scheme only at the very start of the header, the user up to the
 * first colon, the password with all that follows. Undefined when the header is missing or of another form.
 */
export function readBasic(header: string | undefined): BasicCredentials | undefined {
  const encoded = /^basic +([A-Za-z0-9+/_-]+={0,2}) *$/i.exec(header ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0) return undefined;
  return { user: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** Reads `Bearer token`. A token never comes from query or body, where it would reach logs. */
export function readBearer(header: string | undefined): string | undefined {
  return /^bearer +(\S+) *$/i.exec(header ?? '')?.[1];
}
