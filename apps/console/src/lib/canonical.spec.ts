import { generateKeyPairSync, type JsonWebKey, sign } from 'node:crypto';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { canonicalJson, isSigned } from './canonical.js';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const key = publicKey.export({ format: 'jwk' }) as JsonWebKey;
/** Written by hand, so that a fault in the canonical form does not sign its own mistake. */
const CANONICAL =
  '{"audit":{"hash":"ab","position":7},"destinations":[{"status":"complete","type":"WEBHOOK"}],"version":1}';
const receipt = {
  version: 1,
  destinations: [{ type: 'WEBHOOK', status: 'complete' }],
  audit: { position: 7, hash: 'ab' },
};
const signature = sign(null, Buffer.from(CANONICAL), privateKey).toString('base64url');

describe('a receipt in the browser', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('is written as the server signed it, whatever the order of its keys', () => {
    expect(canonicalJson(receipt)).toBe(CANONICAL);
  });

  it('is valid with its own signature and key', async () => {
    await expect(isSigned(receipt, signature, key)).resolves.toBe(true);
    await expect(isSigned(JSON.parse(CANONICAL), signature, key)).resolves.toBe(true);
  });

  it('is not valid once it, its signature or the key is another one', async () => {
    const changed = { ...receipt, audit: { ...receipt.audit, position: 8 } };
    const other = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }) as JsonWebKey;
    await expect(isSigned(changed, signature, key)).resolves.toBe(false);
    await expect(isSigned(receipt, Buffer.alloc(64).toString('base64url'), key)).resolves.toBe(false);
    await expect(isSigned(receipt, signature, other)).resolves.toBe(false);
  });

  it('cannot be verified on a page without HTTPS, where browsers have no WebCrypto', async () => {
    jest.replaceProperty(globalThis, 'crypto', {} as Crypto);
    await expect(isSigned(receipt, signature, key)).rejects.toThrow(/HTTPS/);
  });
});
