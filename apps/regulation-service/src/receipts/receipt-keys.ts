import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import type { DeletionReceipt, ReceiptKey, SignedReceipt } from '@weir/contracts';

/** PKCS #8 prefix of a 32-byte Ed25519 seed (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The key that signs receipts, and the keys that signed earlier ones or will sign later ones. */
export class ReceiptKeys {
  private readonly signing: { key: KeyObject; id: string } | undefined;
  /** The public keys that verify every receipt of this installation. The current key comes first. */
  readonly published: readonly ReceiptKey[];

  /**
   * @param seedBase64 32 bytes. Without it nothing is signed.
   * @param others `x` of the public keys that signed before, or will next. It may list the current one too
   */
  constructor(seedBase64: string | undefined, others: readonly string[] = []) {
    const key = seedBase64 === undefined ? undefined : privateKeyOf(seedBase64);
    const current = key && publicKey(String(createPublicKey(key).export({ format: 'jwk' }).x));
    this.signing = key && current && { key, id: current.kid };
    this.published = [...(current ? [current] : []), ...others.filter((x) => x !== current?.x).map(publicKey)];
  }

  get canSign(): boolean {
    return this.signing !== undefined;
  }

  sign(receipt: DeletionReceipt): SignedReceipt {
    if (!this.signing) throw new Error('there is no key for receipts');
    const value = sign(null, Buffer.from(canonicalJson(receipt)), this.signing.key).toString('base64url');
    return { receipt, signature: { algorithm: 'Ed25519', keyId: this.signing.id, value } };
  }
}

function privateKeyOf(seedBase64: string): KeyObject {
  const der = Buffer.concat([PKCS8_PREFIX, Buffer.from(seedBase64, 'base64')]);
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}

/** The key as a JSON Web Key (RFC 8037), named by its thumbprint (RFC 7638). */
function publicKey(x: string): ReceiptKey {
  const thumbprint = JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x });
  const kid = createHash('sha256').update(thumbprint).digest('base64url');
  return { kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' };
}

/** Undefined if one of the keys signed exactly this receipt. Otherwise the reason why it is invalid. */
export function problemOf({ receipt, signature }: SignedReceipt, keys: readonly ReceiptKey[]): string | undefined {
  const key = keys.find(({ kid }) => kid === signature.keyId);
  if (!key) return 'it is signed with a key that is not among the published ones';
  const publicKey = createPublicKey({ key: { kty: key.kty, crv: key.crv, x: key.x }, format: 'jwk' });
  const bytes = Buffer.from(canonicalJson(receipt));
  const isSigned = verify(null, bytes, publicKey, Buffer.from(signature.value, 'base64url'));
  return isSigned ? undefined : 'its signature does not match its content: one of them was changed';
}

/**
 * Canonical JSON (RFC 8785): keys are sorted and there are no spaces. Supports what receipts contain: strings, integers, lists
 * and objects. Undefined fields are left out.
 */
export const canonicalJson = (value: unknown): string => JSON.stringify(sorted(value));

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}
