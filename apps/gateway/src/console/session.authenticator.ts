import { Injectable, Module } from '@nestjs/common';
import { hashOf } from '../accounts/token.service.js';
import type { Principal } from '../http/principal.js';
import { OperatorSessions } from './operator.sessions.js';
import { type Session, SessionRepository } from './session.repository.js';

/** No secret of a session is longer. Refuses longer texts before hashing them. */
const SECRET_LENGTH_MAX = 128;

/** Queries the database on each request, so that a sign-out and a revoked token take effect at once in every replica. */
@Injectable()
export class SessionAuthenticator {
  constructor(private readonly sessions: SessionRepository) {}

  /** Null if the session is unknown or over. */
  async authenticate(secret: string): Promise<Principal | null> {
    const session = await this.find(secret);
    if (!session) return null;
    const { sessionId, tokenId, email, role, workspaceId, workspaceName, allowFetch } = session;
    return { sessionId, tokenId, email, role, workspaceId, workspaceName, allowFetch };
  }

  /** Counts as a use of the session. */
  async find(secret: string): Promise<Session | null> {
    if (secret.length > SECRET_LENGTH_MAX) return null;
    const found = await this.sessions.findLive(hashOf(secret));
    if (!found) return null;
    if (found.isUseStale) await this.sessions.touch(found.sessionId);
    return found;
  }
}

/** The parts of sessions that both planes need. */
@Module({
  providers: [SessionRepository, SessionAuthenticator, OperatorSessions],
  exports: [SessionRepository, SessionAuthenticator, OperatorSessions],
})
export class SessionsModule {}
