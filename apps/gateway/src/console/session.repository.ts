import { Injectable } from '@nestjs/common';
import { INVENTORY_PAGE_SIZE, type Role } from '@weir/contracts';
import { Database, type Transaction } from '@weir/service-kit';
import type { Principal } from '../http/principal.js';

/** Nobody stays signed in for longer than a working day. */
export const SESSION_MS = 43_200_000;
/** A forgotten browser is signed out after this time without a request. */
export const SESSION_IDLE_MS = 7_200_000;
/** Most sessions of one token or person. A new one ends the oldest. */
export const SESSIONS_MAX = 50;
/** Minimum interval between two writes of a session's last use. */
const LAST_SEEN_INTERVAL = '1 minute';

export type SignInMethod = 'link' | 'token' | 'oidc';

/** A person who signs in: the owner of a token, or a user of the identity provider, who has no token. */
export interface Person {
  workspaceId: string;
  tokenId: string | null;
  email: string;
  role: Role;
}

/** One session, as its owner and the workspace's admins see it. */
export interface Session extends Principal {
  sessionId: string;
  method: SignInMethod;
  userAgent: string;
  createdAt: Date;
  lastSeenAt: Date;
  expiresAt: Date;
}

export interface NewSession extends Person {
  id: string;
  hash: Buffer;
  method: SignInMethod;
  userAgent: string;
}

const COLUMNS = `s.id AS "sessionId", s.token_id AS "tokenId", s.email, coalesce(t.role, s.role) AS role, s.method,
  s.user_agent AS "userAgent", s.created_at AS "createdAt", s.last_seen_at AS "lastSeenAt", s.expires_at AS "expiresAt",
  w.id AS "workspaceId", w.name AS "workspaceName", w.allow_fetch AS "allowFetch"`;
const TABLES = `console_sessions s JOIN workspaces w ON w.id = s.workspace_id LEFT JOIN access_tokens t ON t.id = s.token_id`;
/** A session ends with its token. */
const IS_LIVE = `s.expires_at > now() AND s.last_seen_at > now() - interval '${SESSION_IDLE_MS} milliseconds'
  AND (s.token_id IS NULL OR (t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > now())))`;
/** Matches the sessions of a token, or of a person without one. `$1` is the workspace. */
const IS_OF_PERSON = `s.workspace_id = $1 AND s.token_id IS NOT DISTINCT FROM $2 AND s.email = $3`;

/** Sessions live in the database alone, so every gateway sees a sign-out at once. */
@Injectable()
export class SessionRepository {
  constructor(private readonly database: Database) {}

  /** Not scoped by workspace: the session determines the workspace. */
  async findLive(hash: Buffer): Promise<(Session & { isUseStale: boolean }) | undefined> {
    const { rows } = await this.database.run<Session & { isUseStale: boolean }>(
      `SELECT ${COLUMNS}, s.last_seen_at < now() - $2::interval AS "isUseStale"
       FROM ${TABLES} WHERE s.session_hash = $1 AND ${IS_LIVE}`,
      [hash, LAST_SEEN_INTERVAL],
    );
    return rows[0];
  }

  /** Those of the sessions that are not over. */
  async liveAmong(ids: readonly string[]): Promise<Set<string>> {
    const { rows } = await this.database.run<{ id: string }>(
      `SELECT s.id FROM ${TABLES} WHERE s.id = ANY($1::text[]) AND ${IS_LIVE}`,
      [ids],
    );
    return new Set(rows.map(({ id }) => id));
  }

  async touch(id: string): Promise<void> {
    await this.database.run('UPDATE console_sessions SET last_seen_at = now() WHERE id = $1', [id]);
  }

  /** Ends the oldest sessions of the person beyond the limit. A session never outlives its token. False without the workspace. */
  async insert(tx: Transaction, session: NewSession): Promise<boolean> {
    const { id, hash, workspaceId, tokenId, email, role, method, userAgent } = session;
    const { rows } = await tx.run(
      `INSERT INTO console_sessions
         (id, session_hash, workspace_id, token_id, email, role, method, user_agent, expires_at)
       SELECT $1, $2, w.id, $4, $5, $6, $7, $8,
         least(now() + $9 * interval '1 millisecond', (SELECT expires_at FROM access_tokens WHERE id = $4))
       FROM workspaces w WHERE w.id = $3 RETURNING id`,
      [id, hash, workspaceId, tokenId, email, role, method, userAgent, SESSION_MS],
    );
    await tx.run(
      `DELETE FROM console_sessions WHERE id IN (
         SELECT id FROM console_sessions s WHERE ${IS_OF_PERSON} ORDER BY created_at DESC, id DESC OFFSET $4)`,
      [workspaceId, tokenId, email, SESSIONS_MAX],
    );
    return rows.length > 0;
  }

  /** One page of the live sessions, newest first, and their number. Without a person: those of the whole workspace. */
  async list(workspaceId: string, person: Person | undefined, page: number): Promise<[Session[], total: number]> {
    const { rows } = await this.database.run<Session & { total: number }>(
      `SELECT ${COLUMNS}, count(*) OVER ()::int AS total FROM ${TABLES}
       WHERE (($4::boolean AND s.workspace_id = $1) OR (${IS_OF_PERSON})) AND ${IS_LIVE}
       ORDER BY s.created_at DESC, s.id DESC LIMIT $5 OFFSET $6`,
      [
        ...[workspaceId, person?.tokenId ?? null, person?.email ?? '', person === undefined],
        ...[INVENTORY_PAGE_SIZE, (page - 1) * INVENTORY_PAGE_SIZE],
      ],
    );
    return [rows, rows[0]?.total ?? 0];
  }

  /** Undefined if there is no such session. Without a person: any session of the workspace. */
  async end(tx: Transaction, id: string, workspaceId: string, person?: Person): Promise<Person | undefined> {
    const { rows } = await tx.run<Person>(
      `DELETE FROM console_sessions s WHERE s.id = $5 AND (($4::boolean AND s.workspace_id = $1) OR (${IS_OF_PERSON}))
       RETURNING s.workspace_id AS "workspaceId", s.token_id AS "tokenId", s.email, s.role`,
      [workspaceId, person?.tokenId ?? null, person?.email ?? '', person === undefined, id],
    );
    return rows[0];
  }

  async removeOld(): Promise<void> {
    await this.database.run(
      `DELETE FROM console_sessions s USING console_sessions o LEFT JOIN access_tokens t ON t.id = o.token_id
       WHERE s.id = o.id AND (o.expires_at < now() OR t.revoked_at IS NOT NULL
         OR o.last_seen_at < now() - $1 * interval '1 millisecond')`,
      [SESSION_IDLE_MS],
    );
    await this.database.run('DELETE FROM console_links WHERE expires_at < now()');
  }
}
