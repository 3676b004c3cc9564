import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/**
 * Bytes kept of a digest. Two users collide once in some thousand million users, and then a value is removed with the wrong one.
 */
const USER_KEY_BYTES = 8;

/** The service's only secret. Keys made with it tell users apart and find them again without revealing their ids. */
export class Pepper {
  /** A KeyObject, because Node would turn raw bytes into one for each user, at five times the cost. */
  private readonly key: KeyObject;

  /** @param pepperBase64 32 bytes in base64 */
  constructor(pepperBase64: string) {
    this.key = createSecretKey(pepperBase64, 'base64');
  }

  /**
   * HMAC-SHA-256 over workspace and trimmed user id, cut to eleven characters. It is stored beside every value that only one user
   * had.
   */
  userKey(workspaceId: string, userId: string): string {
    return this.digest('user', workspaceId, userId).toString('base64url', 0, USER_KEY_BYTES);
  }

  /** The same for somebody without a user id. Never equals the key of a user. */
  anonymousKey(workspaceId: string, anonymousId: string): string {
    return this.digest('anonymous', workspaceId, anonymousId).toString('base64url', 0, USER_KEY_BYTES);
  }

  /** Names texts without revealing them. */
  name(...texts: string[]): string {
    return this.digest('name', ...texts).toString('base64url');
  }

  /** JSON keeps the texts apart, so none can pass for the end of another. */
  private digest(...texts: string[]): Buffer {
    return createHmac('sha256', this.key).update(JSON.stringify(texts)).digest();
  }
}
