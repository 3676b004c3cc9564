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
  private readonly keys: ReadonlyMap<string, Buffer>;
  private readonly keyId: string;

  /** `keys`: 32 bytes in base64, or several such keys, separated by commas. The first one seals, all of them open. */
  constructor(keys: string) {
    this.keys = new Map(keys.split(',').map((text) => withId(Buffer.from(text, 'base64'))));
    [this.keyId = ''] = this.keys.keys();
  }

  /** Texts may be sealed with a key other than the first. */
  get isRotating(): boolean {
    return this.keys.size > 1;
  }

  /** The beginning of every text that the first key sealed. */
  get mark(): string {
    return `${VERSION}.${this.keyId}.`;
  }

  seal(plaintext: object, aad: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.keyOf(this.keyId), iv).setAAD(Buffer.from(aad));
    const sealed = Buffer.concat([cipher.update(JSON.stringify(plaintext), 'utf8'), cipher.final()]);
    const body = Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
    return `${this.mark}${body}`;
  }

  /** The same content, sealed with the first key. Throws as `open` does. */
  reseal(sealed: string, aad: string): string {
    return this.seal(this.open(sealed, aad), aad);
  }

  /** Throws when the text was sealed with an unknown key, sealed for another owner, or changed. */
  open(sealed: string, aad: string): JsonObject {
    const [version, keyId = '', body = ''] = sealed.split('.');
    if (version !== VERSION) throw new Error('sealed in another form');
    const bytes = Buffer.from(body, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', this.keyOf(keyId), bytes.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    })
      .setAAD(Buffer.from(aad))
      .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
    return JSON.parse(text.toString('utf8')) as JsonObject;
  }

  private keyOf(id: string): Buffer {
    const key = this.keys.get(id);
    if (!key) throw new Error('sealed with another key');
    return key;
  }
}

const withId = (key: Buffer) => [createHash('sha256').update(key).digest('hex').slice(0, 8), key] as const;

/** Associated data of a destination's configuration. */
export const destinationAad = ({ workspaceId, id }: { workspaceId: string; id: string }) =>
  `destination/${workspaceId}/${id}`;
