import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/** Of a digest: two users share it once in some thousand million users, and then a value goes with the wrong one. */
const USER_KEY_BYTES = 8;

/** The service's one secret: by keys that are made with it users are told apart and found again without being readable. */
export class Pepper {
  /** Bytes would be made into a key for each user: five times the work. */
  private readonly key: KeyObject;

  /** `pepperBase64`: 32 bytes in base64. */
  constructor(pepperBase64: string) {
    this.key = createSecretKey(pepperBase64, 'base64');
  }

  /** HMAC-SHA-256 over workspace and trimmed user id, cut to eleven characters: it stands beside every value that one user alone had. */
  userKey(workspaceId: string, userId: string): string {
    return this.digest('user', workspaceId, userId).toString('base64url', 0, USER_KEY_BYTES);
  }

  /** The same for who has no user id yet; never that of a user. */
  anonymousKey(workspaceId: string, anonymousId: string): string {
    return this.digest('anonymous', workspaceId, anonymousId).toString('base64url', 0, USER_KEY_BYTES);
  }

  /** Names texts without telling them. */
  name(...texts: string[]): string {
    return this.digest('name', ...texts).toString('base64url');
  }

  /** JSON keeps the texts apart: none can pass for the end of another. */
  private digest(...texts: string[]): Buffer {
    return createHmac('sha256', this.key).update(JSON.stringify(texts)).digest();
  }
}
