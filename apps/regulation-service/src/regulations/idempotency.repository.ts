import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AppError, type IdempotencyClaim } from '@weir/contracts';
import type { Sql } from '@weir/messaging';
import { MatchKeys } from '../secrets/match-keys.js';

/** How long a key is remembered: longer than any client keeps retrying. */
const RETENTION = "interval '24 hours'";
/** Expired keys of any workspace that each new key removes. Removing more than one shrinks a backlog. */
const EXPIRED_AT_ONCE = 20;

/** A key and the request that it stands for, both hashed. */
interface KeyedRequest {
  workspaceId: string;
  key: Buffer;
  fingerprint: Buffer;
}

interface KeyedAnswer {
  key: Buffer;
  fingerprint: Buffer;
  regulationIds: string[];
}

async function findAnswer(sql: Sql, workspaceId: string, keys: readonly Buffer[]): Promise<KeyedAnswer | undefined> {
  const { rows } = await sql.run<KeyedAnswer>(
    `SELECT key, fingerprint, regulation_ids AS "regulationIds" FROM idempotency_keys
     WHERE workspace_id = $1 AND key = ANY ($2::bytea[]) AND created_at > now() - ${RETENTION}`,
    [workspaceId, keys],
  );
  return rows[0];
}

/** Replaces a key that exists already, because such a key has expired. */
async function keepAnswer(sql: Sql, request: KeyedRequest, regulationIds: readonly string[]): Promise<void> {
  await sql.run(
    `INSERT INTO idempotency_keys (workspace_id, key, fingerprint, regulation_ids) VALUES ($1, $2, $3, $4)
     ON CONFLICT (workspace_id, key) DO UPDATE SET
       fingerprint = excluded.fingerprint, regulation_ids = excluded.regulation_ids, created_at = now()`,
    [request.workspaceId, request.key, request.fingerprint, regulationIds],
  );
  await sql.run(
    `DELETE FROM idempotency_keys WHERE (workspace_id, key) IN (
       SELECT workspace_id, key FROM idempotency_keys WHERE created_at <= now() - ${RETENTION}
       ORDER BY created_at LIMIT ${EXPIRED_AT_ONCE} FOR UPDATE SKIP LOCKED)`,
  );
}

/**
 * Remembers the result of requests with an idempotency key. Keys and fingerprints are stored only as HMACs. People write names
 * into keys, and a plain hash of a body with one user can be guessed.
 */
@Injectable()
export class Idempotency {
  /** More than one during a rotation of the pepper. The first one hashes what is stored. */
  private readonly secrets: readonly Buffer[];

  constructor(keys: MatchKeys) {
    this.secrets = keys
      .derivedKey('idempotency')
      .split(',')
      .map((key) => Buffer.from(key, 'base64'));
  }

  /** Ids that the first request created. Undefined if the key is new. Throws `conflict` for another body under the same key. */
  async recall(sql: Sql, workspaceId: string, claim: IdempotencyClaim): Promise<string[] | undefined> {
    const requests = this.secrets.map((secret) => hashed(secret, workspaceId, claim));
    const answer = await findAnswer(
      sql,
      workspaceId,
      requests.map(({ key }) => key),
    );
    if (!answer) return undefined;
    const request = requests.find(({ key }) => key.equals(answer.key));
    if (request?.fingerprint.equals(answer.fingerprint)) return answer.regulationIds;
    throw new AppError('conflict', 'This Idempotency-Key belongs to another body. Send a new key, or the first body');
  }

  /** Runs in the transaction that creates the regulations, so that key and regulations exist together or not at all. */
  keep(sql: Sql, workspaceId: string, claim: IdempotencyClaim, regulationIds: readonly string[]): Promise<void> {
    return keepAnswer(sql, hashed(this.secrets[0] as Buffer, workspaceId, claim), regulationIds);
  }
}

function hashed(secret: Buffer, workspaceId: string, { key, fingerprint }: IdempotencyClaim): KeyedRequest {
  const hash = (...fields: string[]) => createHmac('sha256', secret).update(JSON.stringify(fields)).digest();
  return { workspaceId, key: hash('key', key), fingerprint: hash('body', fingerprint) };
}
