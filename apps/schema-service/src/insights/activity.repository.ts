import { Controller, Injectable } from '@nestjs/common';
import { ListSourceActivity, type ReplyOf, type RequestOf, TROUBLE_HOURS, TROUBLE_ROWS_EACH } from '@weir/contracts';
import { Handles } from '@weir/messaging';
import { Database } from '@weir/service-kit';

type Activity = ReplyOf<typeof ListSourceActivity>['sources'][number];

interface Row {
  workspace_id: string;
  write_key: string;
  last_seen: Date;
  new_events: number;
  new_at: Date | null;
  notices: number;
  noticed_at: Date | null;
}

/** A source that is younger than this sends nothing but new events. */
const NEW_SOURCE = '1 day';
/** The latest notices that are counted. One source may have millions within a day, and this is asked every few seconds. */
const NOTICES_COUNTED_MAX = 1_000;
/** The first version of a model is not a change. */
const FIRST_VERSION = '1 minute';

/** The latest events of sources, for notifications. Names of events stay here, because a stranger may choose them. */
@Injectable()
export class ActivityRepository {
  constructor(private readonly dataSource: Database) {}

  /** Ends when nobody waits for the answer any more. A workspace may have a million models, and is asked about every few seconds. */
  list(workspaceIds: string[]): Promise<Activity[]> {
    return this.dataSource.transaction(async (sql) => {
      await sql.run(`SET LOCAL statement_timeout = ${ListSourceActivity.deadlineMs}`);
      const { rows } = await sql.run<Row>(LIST_SQL, [workspaceIds, TROUBLE_ROWS_EACH]);
      return rows.map(activityOf);
    });
  }
}

const RECENT = `now() - interval '${TROUBLE_HOURS} hours'`;
const LIST_SQL = `
  WITH sources AS (
    SELECT workspace_id, write_key, max(last_seen) AS last_seen, min(created_at) AS since,
      row_number() OVER (PARTITION BY workspace_id ORDER BY max(last_seen) DESC) AS place
    FROM models WHERE workspace_id = ANY($1) GROUP BY workspace_id, write_key
  )
  SELECT workspace_id, write_key, last_seen, new_events, new_at, notices, noticed_at
  FROM sources
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS new_events, max(created_at) AS new_at FROM models
    WHERE models.workspace_id = sources.workspace_id AND models.write_key = sources.write_key
      AND created_at > ${RECENT} AND created_at > since + interval '${NEW_SOURCE}'
  ) AS fresh
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS notices, max(noticed_at) AS noticed_at
    FROM (
      SELECT event_id, noticed_at FROM drift_notices
      WHERE write_key = sources.write_key AND noticed_at > ${RECENT} ORDER BY noticed_at DESC LIMIT ${NOTICES_COUNTED_MAX}
    ) AS recent JOIN models USING (event_id)
    WHERE models.workspace_id = sources.workspace_id AND recent.noticed_at > models.created_at + interval '${FIRST_VERSION}'
  ) AS drift
  WHERE place <= $2`;

const activityOf = (row: Row): Activity => ({
  workspaceId: row.workspace_id,
  writeKey: row.write_key,
  lastSeen: row.last_seen.toISOString(),
  ...(row.new_at && { newEvents: { count: row.new_events, at: row.new_at.toISOString() } }),
  ...(row.noticed_at && { drift: { count: row.notices, at: row.noticed_at.toISOString() } }),
});

/** Answers the notifications, which tell people of trouble. */
@Controller()
export class ActivityController {
  constructor(private readonly activity: ActivityRepository) {}

  @Handles(ListSourceActivity)
  async list({ workspaceIds }: RequestOf<typeof ListSourceActivity>): Promise<ReplyOf<typeof ListSourceActivity>> {
    return { sources: await this.activity.list(workspaceIds) };
  }
}
