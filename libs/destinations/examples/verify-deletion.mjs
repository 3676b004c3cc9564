// What a receiver of signed deletion requests does before it believes one. No dependencies; copy it.
//
// The headers are those of https://www.standardwebhooks.com, so any of its libraries does the same: give it the body as it
// came, or for a DELETE the text `DELETE /path?query` as it stands in the request line.
import { createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto';

/** Older or younger requests are refused: one that was overheard must not be sent again for ever. */
const AGE_SECONDS_MAX = 300;
/** A raw Ed25519 key becomes a public key by these bytes before it (RFC 8410). */
const ED25519_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/**
 * Whether the request was signed with the key of the destination.
 *
 * @param {Record<string, string>} headers names in lower case
 * @param {string} text the raw body, or `DELETE /path?query`
 * @param {string} key `whsec_…`, the destination's signing key, or `whpk_…`, the public key for its `whsk_…`
 * @param {number} [nowSeconds]
 */
export function isFromWeir(headers, text, key, nowSeconds = Date.now() / 1_000) {
  const { 'webhook-id': id, 'webhook-timestamp': sentAt, 'webhook-signature': signatures = '' } = headers;
  if (!id || !sentAt || Math.abs(nowSeconds - Number(sentAt)) > AGE_SECONDS_MAX || Number.isNaN(Number(sentAt))) {
    return false;
  }
  const signed = Buffer.from(`${id}.${sentAt}.${text}`);
  return signatures.split(' ').some((signature) => isSignature(signature, signed, key));
}

function isSignature(signature, signed, key) {
  const [version, encoded = ''] = signature.split(',');
  const given = Buffer.from(encoded, 'base64');
  const [kind, secret = ''] = key.split('_');
  const bytes = Buffer.from(secret, 'base64');
  if (version === 'v1' && kind === 'whsec') {
    const expected = createHmac('sha256', bytes).update(signed).digest();
    // In constant time: a comparison that ends early tells how much of a guess was right.
    return given.length === expected.length && timingSafeEqual(given, expected);
  }
  if (version !== 'v1a' || kind !== 'whpk') return false;
  const publicKey = createPublicKey({ key: Buffer.concat([ED25519_PREFIX, bytes]), format: 'der', type: 'spki' });
  return verify(null, signed, publicKey, given);
}
