import { createPublicKey, verify } from 'node:crypto';
import type { ReceiptKey, SignedReceipt } from '@weir/contracts';
import { canonicalJson } from './canonical-json.js';

/** Undefined if one of the keys signed exactly this receipt. Otherwise the reason why it is invalid. */
export function problemOf({ receipt, signature }: SignedReceipt, keys: readonly ReceiptKey[]): string | undefined {
  const key = keys.find(({ kid }) => kid === signature.keyId);
  if (!key) return 'it is signed with a key that is not among the published ones';
  const publicKey = createPublicKey({ key: { kty: key.kty, crv: key.crv, x: key.x }, format: 'jwk' });
  const bytes = Buffer.from(canonicalJson(receipt));
  const isSigned = verify(null, bytes, publicKey, Buffer.from(signature.value, 'base64url'));
  return isSigned ? undefined : 'its signature does not belong to its content: one of them was changed';
}
