import { Injectable } from '@nestjs/common';
import type { JsonObject } from '@weir/contracts';
import { DataSource } from 'typeorm';
import { matchKeysOf } from './match-keys.js';

/** Where an event went no further; `queue`: the destination had used up its share of the stream. */
export type DeadLetterStage = 'queue' | 'user_transform' | 'dest_transform' | 'delivery';

export interface DeadLetter {
  workspaceId: string;
  destinationId: string;
  sourceId: string;
  /** Names the event for its destination, the same after a redelivery. */
  eventKey: string;
  /** Which of the events that user code made of it; missing when it got no further than the code. */
  output?: number | undefined;
  stage: DeadLetterStage;
  reason: string;
  status?: number | undefined;
  attempts: number;
  /** As it was accepted, before any transformation. */
  event: JsonObject;
  receivedAt: string;
}

export const REASON_LENGTH_MAX = 2_000;
/** Dead letters older than this are removed: they are for repair, not an archive. */
const KEPT_DAYS = 30;
/** Rows removed by one statement, so that none holds locks for long. */
const REMOVED_AT_ONCE_MAX = 5_000;

const INSERT_SQL = `
  INSERT INTO dead_letters (workspace_id, destination_id, source_id, event_key, output, stage, reason, status, attempts,
                            event, match_keys, received_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
  ON CONFLICT DO NOTHING`;

@Injectable()
export class DeadLetterRepository {
  constructor(private readonly dataSource: DataSource) {}

  async add(letter: DeadLetter): Promise<void> {
    await this.dataSource.query(INSERT_SQL, [
      letter.workspaceId,
      letter.destinationId,
      letter.sourceId,
      letter.eventKey,
      letter.output ?? null,
      letter.stage,
      withoutNul(letter.reason).slice(0, REASON_LENGTH_MAX),
      letter.status ?? null,
      letter.attempts,
      JSON.stringify(letter.event),
      matchKeysOf(letter.event),
      letter.receivedAt,
    ]);
  }

  /** Removes the letters that carry any of these match keys. */
  async purge(workspaceId: string, matchKeys: string[]): Promise<void> {
    await this.dataSource.query('DELETE FROM dead_letters WHERE workspace_id = $1 AND match_keys && $2::text[]', [
      workspaceId,
      matchKeys,
    ]);
  }

  async removeOld(): Promise<void> {
    await this.dataSource.query(
      `DELETE FROM dead_letters WHERE id IN (
         SELECT id FROM dead_letters WHERE created_at < now() - $1 * interval '1 day' LIMIT $2
       )`,
      [KEPT_DAYS, REMOVED_AT_ONCE_MAX],
    );
  }
}

/** PostgreSQL's text cannot hold it. */
const withoutNul = (text: string) => text.replaceAll('\0', '');
