import { Global, Module } from '@nestjs/common';
import { CONFIG, Pepper, pepperGuard } from '@weir/service-kit';
import type { Config } from '../config.js';

/**
 * Bytes kept of a digest. Two users collide once in some thousand million users, and then a value is removed with the wrong one.
 */
const USER_KEY_BYTES = 8;

/** Tells users apart and finds them again without revealing their ids. */
export class UserKeys {
  constructor(private readonly pepper: Pepper) {}

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
    return this.pepper.hmac(JSON.stringify(texts));
  }
}

@Global()
@Module({
  providers: [
    { provide: Pepper, inject: [CONFIG], useFactory: ({ pepper }: Config) => new Pepper(pepper) },
    { provide: UserKeys, inject: [Pepper], useFactory: (pepper: Pepper) => new UserKeys(pepper) },
    pepperGuard({
      variable: 'SCHEMA_PEPPER',
      schema: 'schemas',
      harm: 'deletions would leave values of their users behind',
    }),
  ],
  exports: [UserKeys],
})
export class UserKeysModule {}
