// How a receiver of signed deletion requests verifies them. No dependencies. Copy it.
//
// The headers follow https://www.standardwebhooks.com, so any of its libraries works too. Pass the raw body, or for a DELETE the
// text `DELETE /path?query` from the request line.
import { createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto';

/** Requests outside this window are refused, so that a recorded request cannot be replayed forever. */
const AGE_SECONDS_MAX = 300;
/** These bytes in front turn a raw Ed25519 key into a public key (RFC 8410). */
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
    // In constant time, because a comparison that ends early reveals how much of a guess was right.
    return given.length === expected.length && timingSafeEqual(given, expected);
  }
  if (version !== 'v1a' || kind !== 'whpk') return false;
  const publicKey = createPublicKey({ key: Buffer.concat([ED25519_PREFIX, bytes]), format: 'der', type: 'spki' });
  return verify(null, signed, publicKey, given);
}
