import { Global, Module } from '@nestjs/common';
import { CONFIG, Pepper, pepperGuard } from '@weir/service-kit';
import { CONTRIBUTOR_SEPARATOR } from '../aggregation/contributors.js';
import type { Config } from '../config.js';

/**
 * Bytes kept of a digest. Two users collide once in some thousand million users, and then a value is removed with the wrong one.
 */
const USER_KEY_BYTES = 8;

/**
 * Tells users apart and finds them again without revealing their ids. With several peppers, a user has a key under each: values
 * may stem from any of them, and nobody can make their keys anew.
 */
export class UserKeys {
  constructor(private readonly pepper: Pepper) {}

  /** HMAC-SHA-256 over workspace and trimmed user id, cut to eleven characters, under each pepper. */
  userKeys(workspaceId: string, userId: string): string[] {
    return this.keysOf('user', workspaceId, userId);
  }

  /** The user's keys as one text. It is stored beside every value that only one user had. */
  userKey(workspaceId: string, userId: string): string {
    return this.userKeys(workspaceId, userId).join(CONTRIBUTOR_SEPARATOR);
  }

  /** The same for a person without a user id. Never equals the key of a user. */
  anonymousKey(workspaceId: string, anonymousId: string): string {
    return this.keysOf('anonymous', workspaceId, anonymousId).join(CONTRIBUTOR_SEPARATOR);
  }

  /** Names texts without revealing them. */
  name(...texts: string[]): string {
    return this.pepper.hmac(JSON.stringify(['name', ...texts])).toString('base64url');
  }

  /** JSON keeps the texts apart, so none can pass for the end of another. */
  private keysOf(...texts: string[]): string[] {
    return this.pepper.hmacs(JSON.stringify(texts)).map((digest) => digest.toString('base64url', 0, USER_KEY_BYTES));
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
