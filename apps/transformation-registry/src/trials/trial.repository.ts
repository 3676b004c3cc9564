import { Injectable } from '@nestjs/common';
import { TRIALS_SHOWN_MAX, type Trial, type TrialState } from '@weir/contracts';
import type { Scope, WriteScope } from '../database/workspace-database.js';
import type { CodeNode } from '../gate/nodes.js';
import { nullable } from '../rules/nullable.js';
import type { Reports, Tally } from './verdict.js';

export interface TrialRow {
  version_id: string;
  transformation_id: string;
  previous_version_id: string | null;
  state: TrialState;
  error_rate: number;
  reports: Reports;
  events: number;
  errors: number;
  reason: string | null;
  started_at: Date;
  ended_at: Date | null;
}

/** Reasons why a trial was stopped. */
export const STOPPED_BY_PUBLISH = 'Another version was published';
export const STOPPED_BY_DELETE = 'The transformation was deleted';
export const STOPPED_BY_SETTING = 'Automatic rollback was turned off';

/** States of a trial that is not decided yet, as SQL. The table's check constraint lists all states. */
export const OPEN_STATES_SQL = `('running', 'failed')`;

/**
 * Begins a trial only for a version that is published for the first time. A restored version was judged before, or ran without a
 * trial.
 */
const BEGIN_SQL = `
  INSERT INTO version_trials
    (workspace_id, version_id, transformation_id, previous_version_id, error_rate, started_at)
  SELECT $1, named.version_id, e.id, live.version_id, e.rollback_error_rate, $4
  FROM unnest($2::text[], $3::text[]) AS named (id, version_id)
  JOIN transformations e ON e.workspace_id = $1 AND e.id = named.id AND e.rollback_error_rate IS NOT NULL
  LEFT JOIN published_transformations live ON live.workspace_id = $1 AND live.transformation_id = e.id
  WHERE NOT EXISTS (
    SELECT FROM publications p WHERE p.workspace_id = $1 AND p.version_id = named.version_id
  )`;

const STOP_SQL = `
  UPDATE version_trials SET state = 'stopped', reason = $4, ended_at = $5
  WHERE workspace_id = $1 AND transformation_id = ANY($2) AND NOT version_id = ANY($3) AND state IN ${OPEN_STATES_SQL}`;

/** Stores the settings and trials of automatic rollback. */
@Injectable()
export class TrialRepository {
  /** Call it before the pointers move to these revisions. Stops running trials and begins trials of new versions. */
  async follow(tx: WriteScope, nodes: readonly CodeNode[]): Promise<void> {
    if (nodes.length === 0) return;
    const [ids, versionIds] = [nodes.map(({ id }) => id), nodes.map(({ versionId }) => versionId)];
    await tx.sql.query(STOP_SQL, [tx.workspaceId, ids, versionIds, STOPPED_BY_PUBLISH, tx.at]);
    await tx.sql.query(BEGIN_SQL, [tx.workspaceId, ids, versionIds, tx.at]);
  }

  async stop(tx: WriteScope, transformationId: string, reason: string): Promise<void> {
    await tx.sql.query(STOP_SQL, [tx.workspaceId, [transformationId], [], reason, tx.at]);
  }

  async find({ sql, workspaceId }: Scope, versionId: string): Promise<TrialRow | undefined> {
    const text = 'SELECT * FROM version_trials WHERE workspace_id = $1 AND version_id = $2';
    const [row] = await sql.query<TrialRow[]>(text, [workspaceId, versionId]);
    return row;
  }

  /** The newest trials. */
  list({ sql, workspaceId }: Scope, transformationId: string): Promise<TrialRow[]> {
    const text = `SELECT * FROM version_trials WHERE workspace_id = $1 AND transformation_id = $2
      ORDER BY position DESC LIMIT $3`;
    return sql.query(text, [workspaceId, transformationId, TRIALS_SHOWN_MAX]);
  }

  async count(tx: WriteScope, versionId: string, reports: Reports, { events, errors }: Tally): Promise<void> {
    await tx.sql.query(
      `UPDATE version_trials SET reports = $3, events = $4, errors = $5 WHERE workspace_id = $1 AND version_id = $2`,
      [tx.workspaceId, versionId, JSON.stringify(reports), events, errors],
    );
  }

  async decide(tx: WriteScope, versionId: string, state: TrialState, reason: string | null = null): Promise<void> {
    await tx.sql.query(
      `UPDATE version_trials SET state = $3, reason = $4, ended_at = $5 WHERE workspace_id = $1 AND version_id = $2`,
      [tx.workspaceId, versionId, state, reason, tx.at],
    );
  }

  /** Null if automatic rollback is off. Undefined if the transformation does not exist. */
  async errorRate({ sql, workspaceId }: Scope, id: string): Promise<number | null | undefined> {
    const [row] = await sql.query<{ rollback_error_rate: number | null }[]>(
      'SELECT rollback_error_rate FROM transformations WHERE workspace_id = $1 AND id = $2 AND deleted_at IS NULL',
      [workspaceId, id],
    );
    return row?.rollback_error_rate;
  }

  async setErrorRate(tx: WriteScope, id: string, errorRate: number | null): Promise<void> {
    await tx.sql.query('UPDATE transformations SET rollback_error_rate = $3 WHERE workspace_id = $1 AND id = $2', [
      ...[tx.workspaceId, id, errorRate],
    ]);
  }
}

export const trialOf = (row: TrialRow): Trial => ({
  versionId: row.version_id,
  ...nullable('previousVersionId', row.previous_version_id),
  state: row.state,
  errorRate: row.error_rate,
  events: row.events,
  errors: row.errors,
  ...nullable('reason', row.reason),
  startedAt: row.started_at.toISOString(),
  ...nullable('endedAt', row.ended_at?.toISOString() ?? null),
});
