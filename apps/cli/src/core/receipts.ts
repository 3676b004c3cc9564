import { createPublicKey, verify } from 'node:crypto';
import type { Schema } from '@weir/client';

type Signed = Schema<'SignedReceipt'>;
type Key = Schema<'ReceiptKeys'>['keys'][number];

/**
 * Undefined if one of the keys signed exactly this receipt (Ed25519 over its canonical JSON, RFC 8785). Otherwise the reason. It
 * is written apart from the server on purpose: somebody who does not trust the server has to be able to check it.
 */
export function problemOfReceipt(signed: Signed, keys: readonly Key[] | undefined): string | undefined {
  const { receipt, signature } = signed ?? {};
  if (!receipt || !signature || !Array.isArray(keys)) return 'the files do not hold a receipt and its keys';
  const key = keys.find(({ kid }) => kid === signature.keyId);
  if (!key) return 'it is signed with a key that is not among the given ones';
  const publicKey = createPublicKey({ key: { kty: key.kty, crv: key.crv, x: key.x }, format: 'jwk' });
  const bytes = Buffer.from(canonicalJson(receipt));
  const isSigned = verify(null, bytes, publicKey, Buffer.from(signature.value, 'base64url'));
  return isSigned ? undefined : 'its signature does not match its content: one of them was changed';
}

/** Sorted keys and no spaces. Receipts hold texts, integers, lists and objects, and these need no more. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
