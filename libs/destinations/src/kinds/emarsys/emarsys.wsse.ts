import { createHash, randomBytes } from 'node:crypto';

/** A header that signs one request, and the parts of it that nobody has to see. */
export interface Signature {
  headers: Record<string, string>;
  parts: readonly string[];
}

/** The WSSE header of https://dev.emarsys.com, Authentication. The digest is the Base64 of a SHA-1 in hexadecimal digits. */
export function wsse(user: string, secret: string, now: Date): Signature {
  const nonce = randomBytes(16).toString('hex');
  const created = now.toISOString();
  const digest = createHash('sha1').update(`${nonce}${created}${secret}`).digest('hex');
  const token = Buffer.from(digest).toString('base64');
  const header = `UsernameToken Username="${user}", PasswordDigest="${token}", Nonce="${nonce}", Created="${created}"`;
  return { headers: { 'x-wsse': header }, parts: [token, nonce, created] };
}
