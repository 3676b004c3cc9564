import { Injectable } from '@nestjs/common';
import { chunksOf } from '@weir/contracts';
import { removeRows, type Sql } from '@weir/messaging';
import { Database } from '@weir/service-kit';

/** Key of the advisory lock on fences. Any number works if it never changes. */
const FENCE_LOCK = 7_360_011;
/**
 * A write that was decided before a purge is over long before. But events may wait in the stream for days until they are archived, while
 * the object store is away.
 */
const KEPT = '14 days';
/** Events that one statement looks up. Each may have a hundred identifiers. */
const LOOKED_UP_AT_ONCE = 500;

/** An event that is about to be written. */
export interface FencedEvent {
  workspaceId: string;
  /** Time of its intake, ISO 8601. */
  receivedAt: string;
  /** Digests of everything by which regulations find it. */
  matchKeys(): readonly string[];
}

const PURGED_SQL = `
  SELECT workspace_id AS "workspaceId", match_key::text AS "matchKey", purged_at AS "purgedAt"
  FROM purged_users JOIN unnest($1::text[], $2::bigint[]) AS asked (workspace_id, match_key) USING (workspace_id, match_key)`;

/**
 * Keeps events of deleted users out of what is written late. A writer decides about an event, and then a slow database may make its
 * write wait until a deletion has purged the user. Writers share a lock until they commit, and a purge raises its fence under the lock
 * alone. So a row is either written before the purge, which finds it, or by a writer that sees the fence.
 */
@Injectable()
export class PurgeFence {
  constructor(private readonly database: Database) {}

  /** From now on nothing is written of these users that came in before. Call it before the purge looks for rows. */
  async raise(workspaceId: string, matchKeys: readonly string[]): Promise<void> {
    await this.database.transaction(async (sql) => {
      await sql.run('SELECT pg_advisory_xact_lock($1)', [FENCE_LOCK]);
      await sql.run(
        `INSERT INTO purged_users (workspace_id, match_key, purged_at)
         SELECT $1, match_key, clock_timestamp() FROM (SELECT DISTINCT unnest($2::bigint[]) AS match_key) AS purged
         ON CONFLICT (workspace_id, match_key) DO UPDATE SET purged_at = EXCLUDED.purged_at`,
        [workspaceId, matchKeys],
      );
    });
  }

  /** Which of these events belong to users who were purged after the intake. Ask in the transaction that writes the others. */
  async purged<E extends FencedEvent>(sql: Sql, events: readonly E[]): Promise<Set<E>> {
    await sql.run('SELECT pg_advisory_xact_lock_shared($1)', [FENCE_LOCK]);
    const late = await this.before(sql, events);
    const purged = new Set<E>();
    for (const some of chunksOf(late, { itemsMax: LOOKED_UP_AT_ONCE }))
      for (const event of await this.purgedOf(sql, some)) purged.add(event);
    return purged;
  }

  async removeOld(): Promise<void> {
    await removeRows(this.database, 'purged_users', `purged_at < now() - interval '${KEPT}'`);
  }

  private async purgedOf<E extends FencedEvent>(sql: Sql, events: readonly E[]): Promise<E[]> {
    const keyed = events.map((event) => ({ event, keys: event.matchKeys() }));
    const asked = keyed.flatMap(({ event: { workspaceId }, keys }) => keys.map((key) => ({ workspaceId, key })));
    const columns = [asked.map(({ workspaceId }) => workspaceId), asked.map(({ key }) => key)];
    const { rows } = await sql.run<{ workspaceId: string; matchKey: string; purgedAt: Date }>(PURGED_SQL, columns);
    const purgedAt = new Map(rows.map((row) => [row.workspaceId + row.matchKey, row.purgedAt.getTime()]));
    const isPurged = ({ event: { workspaceId, receivedAt }, keys }: (typeof keyed)[number]) =>
      keys.some((key) => Date.parse(receivedAt) <= (purgedAt.get(workspaceId + key) ?? Number.NEGATIVE_INFINITY));
    return keyed.filter(isPurged).map(({ event }) => event);
  }

  /** Events that came in before the last purge of their workspace. There are hardly any, so few digests are made. */
  private async before<E extends FencedEvent>(sql: Sql, events: readonly E[]): Promise<E[]> {
    const workspaceIds = [...new Set(events.map(({ workspaceId }) => workspaceId))];
    const { rows } = await sql.run<{ workspaceId: string; last: Date | null }>(
      `SELECT workspace_id AS "workspaceId", (SELECT max(purged_at) FROM purged_users WHERE workspace_id = asked.workspace_id) AS last
       FROM unnest($1::text[]) AS asked (workspace_id)`,
      [workspaceIds],
    );
    const lasts = new Map(rows.map(({ workspaceId, last }) => [workspaceId, last?.getTime()]));
    return events.filter(({ workspaceId, receivedAt }) => {
      const last = lasts.get(workspaceId);
      return last !== undefined && Date.parse(receivedAt) <= last;
    });
  }
}
