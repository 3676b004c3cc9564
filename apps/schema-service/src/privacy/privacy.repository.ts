import { Injectable } from '@nestjs/common';
import type { SourcePrivacy } from '@weir/contracts';
import type { Sql } from '@weir/messaging';
import { Database } from '@weir/service-kit';
import { Column, Entity, Index, IsNull, MoreThan, Not, PrimaryColumn } from 'typeorm';
import { StatisticsRepository } from '../statistics/statistics.repository.js';
import { StoredBytesRepository } from '../statistics/stored-bytes.repository.js';

/** Sources per sweep. The rest waits for the next one. */
const SOURCES_AT_ONCE = 100;
export const FIRST_ID = '00000000-0000-0000-0000-000000000000';
/** Models emptied in one transaction, which locks them briefly. */
const MODELS_AT_ONCE = 500;

/** A source's privacy settings, and how far the removal of its data has come. */
@Entity('source_privacy')
@Index('source_privacy_forgetting', ['writeKey'], { where: 'forgotten_up_to IS NOT NULL' })
export class SourcePrivacyEntity {
  @PrimaryColumn('text', { name: 'write_key' })
  writeKey: string;

  @Column('text')
  samples: SourcePrivacy['Samples'];

  @Column('text', { name: 'masked_keys', array: true })
  maskedKeys: string[];

  /** Models after this id still have to be emptied. Null if none has to. */
  @Column('uuid', { name: 'forgotten_up_to', nullable: true })
  forgottenUpTo: string | null;

  @Column('timestamptz', { name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;
}

@Injectable()
export class PrivacyRepository {
  constructor(
    private readonly database: Database,
    private readonly statistics: StatisticsRepository,
    private readonly storedBytes: StoredBytesRepository,
  ) {}

  get(writeKey: string): Promise<SourcePrivacyEntity | null> {
    return this.database.getRepository(SourcePrivacyEntity).findOneBy({ writeKey });
  }

  /** Every key of the model's schema. */
  async keysOf(eventId: string): Promise<string[]> {
    const { rows } = await this.database.run<{ key: string }>(
      `SELECT jsonb_object_keys(schema) AS key FROM models WHERE event_id = $1`,
      [eventId],
    );
    return rows.map(({ key }) => key);
  }

  /** Flushes obey the new settings from now on. Data that exists already still has to be removed. */
  async put(writeKey: string, { Samples, MaskedKeys }: SourcePrivacy): Promise<void> {
    await this.database.run(
      `INSERT INTO source_privacy (write_key, samples, masked_keys, forgotten_up_to)
       VALUES ($1, $2, $3, CASE WHEN $2 = 'off' THEN $4::uuid END)
       ON CONFLICT (write_key) DO UPDATE SET samples = excluded.samples, masked_keys = excluded.masked_keys, updated_at = now(),
         forgotten_up_to = coalesce(excluded.forgotten_up_to, source_privacy.forgotten_up_to)`,
      [writeKey, Samples, MaskedKeys, FIRST_ID],
    );
  }

  /** Sources after `after` that still have data to remove, in order. */
  async forgetting(after: string): Promise<string[]> {
    const unfinished = await this.database.getRepository(SourcePrivacyEntity).find({
      select: { writeKey: true },
      where: { forgottenUpTo: Not(IsNull()), writeKey: MoreThan(after) },
      order: { writeKey: 'ASC' },
      take: SOURCES_AT_ONCE,
    });
    return unfinished.map(({ writeKey }) => writeKey);
  }

  /**
   * Empties the next models of the source, and returns whether there may be more. Waits for flushes that hold their locks,
   * because those may still add data.
   */
  forgetSome(writeKey: string): Promise<boolean> {
    return this.database.transaction(async (sql) => {
      const {
        rows: [row],
      } = await sql.run<{ after: string | null }>(
        `SELECT forgotten_up_to AS after FROM source_privacy WHERE write_key = $1 FOR UPDATE`,
        [writeKey],
      );
      if (!row?.after) return false;
      const { rows: models } = await sql.run<{ event_id: string }>(
        `SELECT event_id FROM models WHERE write_key = $1 AND event_id > $2 ORDER BY event_id LIMIT $3 FOR UPDATE`,
        [writeKey, row.after, MODELS_AT_ONCE],
      );
      const ids = models.map(({ event_id }) => event_id);
      await this.empty(sql, ids);
      const place = ids.length < MODELS_AT_ONCE ? null : ids.at(-1);
      await sql.run(`UPDATE source_privacy SET forgotten_up_to = $2 WHERE write_key = $1`, [writeKey, place]);
      return place !== null;
    });
  }

  /** Models of the source after `after` that still have data to remove, in order. */
  async holding(writeKey: string, after: string): Promise<string[]> {
    const { rows } = await this.database.run<{ event_id: string }>(
      `SELECT event_id FROM models
       WHERE write_key = $1 AND event_id > greatest($2, (SELECT forgotten_up_to FROM source_privacy WHERE write_key = $1))
         AND (EXISTS (SELECT FROM statistics WHERE statistics.event_id = models.event_id)
           OR EXISTS (SELECT FROM statistics_parts AS parts WHERE parts.event_id = models.event_id))
       ORDER BY event_id LIMIT $3`,
      [writeKey, after, MODELS_AT_ONCE],
    );
    return rows.map(({ event_id }) => event_id);
  }

  /** Empties models while their source has them removed. A user may have switched samples on again since. */
  forgetModels(writeKey: string, eventIds: readonly string[]): Promise<void> {
    return this.database.transaction(async (sql) => {
      const { count } = await sql.run(
        `SELECT FROM source_privacy WHERE write_key = $1 AND forgotten_up_to IS NOT NULL FOR UPDATE`,
        [writeKey],
      );
      if (count === 0) return;
      await sql.run(`SELECT FROM models WHERE event_id = ANY($1::uuid[]) ORDER BY event_id FOR UPDATE`, [eventIds]);
      await this.empty(sql, eventIds);
    });
  }

  private async empty(sql: Sql, eventIds: readonly string[]): Promise<void> {
    await this.statistics.empty(sql, eventIds);
    await this.storedBytes.count(sql, eventIds);
  }
}
