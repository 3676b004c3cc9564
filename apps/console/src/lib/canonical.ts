import { isRecord } from './json.js';

/** JSON with sorted keys and no blanks, which is what a receipt's signature is over. */
export const canonicalJson = (value: unknown): string => JSON.stringify(sorted(value));

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, sorted(value[key])]));
}

/** Whether a value in base64url is the Ed25519 signature of these data by this public key. */
export async function isSigned(data: unknown, signature: string, key: JsonWebKey): Promise<boolean> {
  if (!crypto.subtle)
    throw new Error('Browsers verify signatures only on HTTPS pages. Download the receipt and verify it elsewhere.');
  const { kty, crv, x } = key;
  const publicKey = await crypto.subtle.importKey('jwk', { kty, crv, x } as JsonWebKey, { name: 'Ed25519' }, false, [
    'verify',
  ]);
  const text = new TextEncoder().encode(canonicalJson(data));
  return crypto.subtle.verify({ name: 'Ed25519' }, publicKey, bytesOf(signature), text);
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (char) => char.charCodeAt(0));
}
