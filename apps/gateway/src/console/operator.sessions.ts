import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, Database } from '@weir/service-kit';
import { hashOf } from '../accounts/token.service.js';
import type { Config } from '../config.js';
import { newSecret } from './secret.js';

/** It opens every workspace, so it ends soon. */
export const OPERATOR_SESSION_MS = 3_600_000;
/** A forgotten browser is signed out after this time without a request. */
const OPERATOR_IDLE_MS = 900_000;

/**
 * Sessions of the operator, who signed in with the admin pair. They live in the database alone, so a sign-out holds in every gateway at
 * once. The pair is a part of each hash, so a new pair ends all of them.
 */
@Injectable()
export class OperatorSessions {
  constructor(
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Pick<Config, 'admin'>,
  ) {}

  /** The secret of the cookie. */
  async open(): Promise<string> {
    const secret = newSecret();
    await this.database.run(
      `INSERT INTO operator_sessions (session_hash, expires_at) VALUES ($1, now() + $2 * interval '1 millisecond')`,
      [this.hashed(secret), OPERATOR_SESSION_MS],
    );
    return secret;
  }

  /** Counts as a use of the session. */
  async isLive(secret: string): Promise<boolean> {
    const { count } = await this.database.run(
      `UPDATE operator_sessions SET last_seen_at = now()
       WHERE session_hash = $1 AND expires_at > now() AND last_seen_at > now() - $2 * interval '1 millisecond'`,
      [this.hashed(secret), OPERATOR_IDLE_MS],
    );
    return count > 0;
  }

  async end(secret: string): Promise<void> {
    await this.database.run('DELETE FROM operator_sessions WHERE session_hash = $1', [this.hashed(secret)]);
  }

  async removeOld(): Promise<void> {
    await this.database.run(
      `DELETE FROM operator_sessions
       WHERE expires_at < now() OR last_seen_at < now() - $1 * interval '1 millisecond'`,
      [OPERATOR_IDLE_MS],
    );
  }

  private hashed(secret: string): Buffer {
    const { user, password } = this.config.admin ?? { user: '', password: '' };
    return hashOf(JSON.stringify([secret, user, password]));
  }
}
