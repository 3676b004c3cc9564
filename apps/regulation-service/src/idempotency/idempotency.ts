import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AppError, type IdempotencyClaim } from '@weir/contracts';
import type { Sql } from '@weir/messaging';
import { Pepper } from '../secrets/pepper.js';
import { findAnswer, type KeyedRequest, keepAnswer } from './idempotency.repository.js';

/**
 * Remembers the result of requests with an idempotency key. Keys and fingerprints are stored only as HMACs. People write names
 * into keys, and a plain hash of a body with one user can be guessed.
 */
@Injectable()
export class Idempotency {
  private readonly secret: Buffer;

  constructor(pepper: Pepper) {
    this.secret = Buffer.from(pepper.derivedKey('idempotency'), 'base64');
  }

  /** Ids that the first request created. Undefined if the key is new. Throws `conflict` for another body under the same key. */
  async recall(sql: Sql, workspaceId: string, claim: IdempotencyClaim): Promise<string[] | undefined> {
    const request = this.hashed(workspaceId, claim);
    const answer = await findAnswer(sql, request);
    if (!answer) return undefined;
    if (answer.fingerprint.equals(request.fingerprint)) return answer.regulationIds;
    throw new AppError('conflict', 'This Idempotency-Key stands for another body: send a new key, or the first body');
  }

  /** Runs in the transaction that creates the records, so that key and records exist together or not at all. */
  keep(sql: Sql, workspaceId: string, claim: IdempotencyClaim, regulationIds: readonly string[]): Promise<void> {
    return keepAnswer(sql, this.hashed(workspaceId, claim), regulationIds);
  }

  private hashed(workspaceId: string, { key, fingerprint }: IdempotencyClaim): KeyedRequest {
    const hash = (...fields: string[]) => createHmac('sha256', this.secret).update(JSON.stringify(fields)).digest();
    return { workspaceId, key: hash('key', key), fingerprint: hash('body', fingerprint) };
  }
}
