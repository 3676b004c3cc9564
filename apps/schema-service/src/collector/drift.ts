import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { failedOf, noteIn, Periodic, removeRows, type Sql, throwFirst } from '@weir/messaging';
import { Database } from '@weir/service-kit';
import type { VersionDelta } from '../aggregation/aggregator.js';
import type { SchemaChange } from '../aggregation/schema.js';
import { alone } from '../sql/alone.js';

/** Keys that a notice names, which bounds a page of notices. The version holds all keys. */
const KEYS_MAX = 10;
const KEY_CHARS_MAX = 256;
/** Notices of one flush about one model. More of them would tell nothing new. */
const NOTICES_MAX = 100;

export interface DriftNotice {
  eventId: string;
  kind: 'new_version' | 'new_type';
  versionId: string;
  keys: string[];
  typesBefore: string | null;
  typesAfter: string | null;
  at: string;
}

/** Notices for each new version of a model, and for each key that gained a type. */
export function driftOf(
  eventId: string,
  versions: readonly Pick<VersionDelta, 'versionId' | 'firstSeen'>[],
  changes: readonly (readonly SchemaChange[])[],
): DriftNotice[] {
  const notices = versions.flatMap(({ versionId, firstSeen: at }, place): DriftNotice[] => {
    const changed = (changes[place] ?? []).filter(({ path }) => path.length <= KEY_CHARS_MAX);
    const keys = changed.flatMap(({ path, before }) => (before === undefined ? [path] : []));
    const types = changed.flatMap(({ path, before = '', after }): DriftNotice[] =>
      before
        ? [{ eventId, kind: 'new_type', versionId, keys: [path], typesBefore: before, typesAfter: after, at }]
        : [],
    );
    const version = { eventId, versionId, keys: keys.slice(0, KEYS_MAX), typesBefore: null, typesAfter: null, at };
    return [{ kind: 'new_version', ...version }, ...types];
  });
  return notices.slice(0, NOTICES_MAX);
}

/** Notices are kept for 90 days, and at most KEPT_OF_A_MODEL per model. */
const KEPT_DAYS = 90;
const KEPT_OF_A_MODEL = 500;
/** A key that vanished is noted once, so its notice must stay. There are at most as many as keys in every tenth event. */
const COUNTED = `kind <> 'vanished_key'`;
/** A key has vanished if its model's events went on without it for this long. */
export const VANISHED_AFTER_HOURS = 24;
/** Only keys that at least one in this many events had can vanish, because rare keys come and go. */
const VANISHED_ONE_IN = 10;

/** The suspects among the models of one look, and its last model. */
interface LookedAt {
  eventIds: string[];
  last: string | undefined;
}

/** Notices about schema changes. A trigger fills in their workspace and write key (migrations 0004 and 0005). */
@Injectable()
export class DriftRepository {
  async add(sql: Sql, notices: readonly DriftNotice[]): Promise<void> {
    if (notices.length === 0) return;
    await sql.run(
      `INSERT INTO drift_notices (event_id, kind, version_id, keys, types_before, types_after, noticed_at)
       SELECT event_id, kind, version_id, ARRAY(SELECT jsonb_array_elements_text(keys::jsonb)), before, after, at
       FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::timestamptz[])
         AS notice (event_id, kind, version_id, keys, before, after, at)`,
      [
        notices.map(({ eventId }) => eventId),
        notices.map(({ kind }) => kind),
        notices.map(({ versionId }) => versionId),
        notices.map(({ keys }) => JSON.stringify(keys)),
        notices.map(({ typesBefore }) => typesBefore),
        notices.map(({ typesAfter }) => typesAfter),
        notices.map(({ at }) => at),
      ],
    );
  }

  /**
   * Looks at the next `limit` models after `after`, for those with a version that none of their latest events had. Only those can have
   * lost a key. Millions of models may have none, so it is not suspects that are limited.
   */
  async suspects(sql: Sql, after: string, limit: number): Promise<LookedAt> {
    const { rows } = await sql.run<{ event_id: string; is_suspect: boolean }>(
      `SELECT event_id, EXISTS (
         SELECT FROM versions
         WHERE versions.event_id = page.event_id AND versions.last_seen < page.last_seen - $2 * interval '1 hour') AS is_suspect
       FROM (SELECT event_id, last_seen FROM models WHERE event_id > $1 ORDER BY event_id LIMIT $3) AS page
       ORDER BY event_id`,
      [after, VANISHED_AFTER_HOURS, limit],
    );
    const eventIds = rows.filter(({ is_suspect }) => is_suspect).map(({ event_id }) => event_id);
    return { eventIds, last: rows.at(-1)?.event_id };
  }

  /**
   * Notes each vanished key, once until it returns. Goes by the events whose versions are stored, because the others may have the key.
   */
  async noteVanished(sql: Sql, eventIds: readonly string[]): Promise<void> {
    await sql.run(
      `INSERT INTO drift_notices (event_id, kind, keys, types_before, noticed_at)
       SELECT event_id, 'vanished_key', ARRAY[key], models.schema ->> key, newest
       FROM (
         SELECT event_id, key, max(last_seen) AS key_seen, sum(total_count) AS events,
           max(max(last_seen)) OVER (PARTITION BY event_id) AS newest
         FROM versions, jsonb_object_keys(schema) AS key WHERE event_id = ANY($1::uuid[]) GROUP BY event_id, key
       ) AS keys JOIN models USING (event_id)
       WHERE key_seen < newest - $2 * interval '1 hour' AND key_seen > now() - $5 * interval '1 day'
         AND events * $3 >= total_count AND length(key) <= $4
         AND NOT EXISTS (
           SELECT FROM drift_notices AS known WHERE known.event_id = models.event_id
             AND kind = 'vanished_key' AND known.keys = ARRAY[key] AND known.noticed_at > key_seen)
       ORDER BY event_id, key`,
      [eventIds, VANISHED_AFTER_HOURS, VANISHED_ONE_IN, KEY_CHARS_MAX, KEPT_DAYS],
    );
  }

  /** In pieces, because one source may leave millions of notices within an hour. A model that fails holds up no other. */
  async prune(sql: Sql): Promise<void> {
    const failures: unknown[] = [];
    const old = removeRows(sql, 'drift_notices', `noticed_at < now() - $1 * interval '1 day'`, [KEPT_DAYS]);
    await old.catch(noteIn(failures));
    const { rows } = await sql.run<{ event_id: string }>(
      `SELECT event_id FROM drift_notices WHERE ${COUNTED} GROUP BY event_id HAVING count(*) > $1`,
      [KEPT_OF_A_MODEL],
    );
    for (const { event_id } of rows) {
      await this.pruneModel(sql, event_id).catch(noteIn(failures));
    }
    throwFirst(failures);
  }

  private pruneModel(sql: Sql, eventId: string): Promise<void> {
    const ofModel = `event_id = $1 AND ${COUNTED}`;
    const last = `SELECT id FROM drift_notices WHERE ${ofModel} ORDER BY id DESC OFFSET $2 LIMIT 1`;
    return removeRows(sql, 'drift_notices', `${ofModel} AND id <= (${last})`, [eventId, KEPT_OF_A_MODEL]);
  }
}

const EVERY_MS = 600_000;
const MODELS_AT_ONCE = 100;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
/** Key of the advisory lock that the sweeping collector holds. Any number works if it never changes. */
const SWEEP_LOCK = 7_360_001;

/** Looks for vanished keys, which no arriving event can reveal. Only one collector sweeps at a time. */
@Injectable()
export class DriftService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly sweeps = new Periodic({
    task: 'look for drift',
    everyMs: EVERY_MS,
    run: () => this.sweep(),
    log: new Logger(DriftService.name),
  });

  constructor(
    private readonly dataSource: Database,
    private readonly drift: DriftRepository,
  ) {}

  onApplicationBootstrap(): void {
    this.sweeps.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.sweeps.stop();
  }

  /** A model that fails holds up no other. */
  async sweep(): Promise<void> {
    const failures: unknown[] = [];
    for (let after: string | undefined = FIRST_ID; after !== undefined && !this.sweeps.isStopped; ) {
      const { eventIds, last }: LookedAt = await this.drift.suspects(this.dataSource, after, MODELS_AT_ONCE);
      let isMine = true;
      const failed = await failedOf(eventIds, async (some) => {
        isMine = await this.noteVanished(some);
      });
      failures.push(...failed.values());
      after = isMine ? last : undefined;
    }
    throwFirst(failures);
  }

  /** Returns whether it did. Otherwise another collector sweeps. */
  private noteVanished(eventIds: readonly string[]): Promise<boolean> {
    return alone(this.dataSource, SWEEP_LOCK, (sql) => this.drift.noteVanished(sql, eventIds));
  }
}
