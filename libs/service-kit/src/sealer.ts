import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { JsonObject } from '@weir/contracts';

const VERSION = 'v1';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts JSON with AES-256-GCM. The associated data binds a sealed text to its owner, so that it opens nowhere else. Form:
 * `v1.<key id>.<base64url of iv, tag and ciphertext>`.
 */
export class Sealer {
  private readonly key: Buffer;
  private readonly keyId: string;

  /** `keyBase64`: 32 bytes in base64. */
  constructor(keyBase64: string) {
    this.key = Buffer.from(keyBase64, 'base64');
    this.keyId = createHash('sha256').update(this.key).digest('hex').slice(0, 8);
  }

  seal(plaintext: object, aad: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.key, iv).setAAD(Buffer.from(aad));
    const sealed = Buffer.concat([cipher.update(JSON.stringify(plaintext), 'utf8'), cipher.final()]);
    const body = Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
    return `${VERSION}.${this.keyId}.${body}`;
  }

  /** Throws when the text was sealed with another key, sealed for another owner, or changed. */
  open(sealed: string, aad: string): JsonObject {
    const [version, keyId, body = ''] = sealed.split('.');
    if (version !== VERSION || keyId !== this.keyId) throw new Error('sealed with another key');
    const bytes = Buffer.from(body, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', this.key, bytes.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    })
      .setAAD(Buffer.from(aad))
      .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
    return JSON.parse(text.toString('utf8')) as JsonObject;
  }
}

/** Associated data of a destination's configuration. */
export const destinationAad = ({ workspaceId, id }: { workspaceId: string; id: string }) =>
  `destination/${workspaceId}/${id}`;
