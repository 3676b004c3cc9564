import { Injectable } from '@nestjs/common';
import { TRIALS_SHOWN_MAX, type TrialState } from '@weir/contracts';
import { Check, Column, Entity, ForeignKey, Generated, Index, IsNull, PrimaryColumn } from 'typeorm';
import type { Scope, WriteScope } from '../database/workspace-database.js';
import { TransformationEntity, TransformationRevisionEntity } from './artifact.entity.js';
import type { CodeNode } from './nodes.js';

/** Events that the code ran over, and those that it failed on. */
export interface Tally {
  events: number;
  errors: number;
}

/** Keyed by deliverer. Each report holds that deliverer's totals. */
export type Reports = Readonly<Record<string, Tally>>;

const STATES = ['running', 'passed', 'failed', 'rolledBack', 'kept', 'stopped'] as const satisfies TrialState[];

@Entity('version_trials')
@Check('version_trials_state_check', `state IN ('${STATES.join("', '")}')`)
@Index('version_trials_listed', ['workspaceId', 'transformationId', 'position'])
@ForeignKey(
  () => TransformationRevisionEntity,
  ['workspaceId', 'transformationId', 'versionId'],
  ['workspaceId', 'objectId', 'versionId'],
  { name: 'version_trials_workspace_id_transformation_id_version_id_fkey' },
)
export class TrialEntity {
  @PrimaryColumn({ name: 'workspace_id', type: 'text' })
  declare workspaceId: string;

  @PrimaryColumn({ name: 'version_id', type: 'text' })
  declare versionId: string;

  @Column({ name: 'transformation_id', type: 'text' })
  declare transformationId: string;

  @Column({ type: 'bigint' })
  @Generated('increment')
  declare position: string;

  /** The revision that was live before. Null if none was. */
  @Column({ name: 'previous_version_id', type: 'text', nullable: true })
  declare previousVersionId: string | null;

  /** The setting of the transformation at the publish. */
  @Column({ name: 'error_rate', type: 'double precision' })
  declare errorRate: number;

  @Column({ type: 'text', default: 'running' })
  declare state: TrialState;

  @Column({ type: 'jsonb', default: {} })
  declare reports: Reports;

  /** Sums of the reports. */
  @Column({ type: 'integer', default: 0 })
  declare events: number;

  @Column({ type: 'integer', default: 0 })
  declare errors: number;

  @Column({ type: 'text', nullable: true })
  declare reason: string | null;

  @Column({ name: 'started_at', type: 'timestamptz' })
  declare startedAt: Date;

  @Column({ name: 'ended_at', type: 'timestamptz', nullable: true })
  declare endedAt: Date | null;
}

/** Reasons why a trial was stopped. */
export const STOPPED_BY_PUBLISH = 'Another version was published';
export const STOPPED_BY_DELETE = 'The transformation was deleted';
export const STOPPED_BY_SETTING = 'Automatic rollback was turned off';

/** States of a trial that is not decided yet, as SQL. The table's check constraint lists all states. */
export const OPEN_STATES_SQL = `('running', 'failed')`;

/**
 * Begins a trial only for a revision that is published for the first time. A restored one was judged before, or ran without a
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
  /** Call it before the pointers move to these revisions. Stops running trials and begins trials of new revisions. */
  async follow(tx: WriteScope, nodes: readonly CodeNode[]): Promise<void> {
    if (nodes.length === 0) return;
    const [ids, versionIds] = [nodes.map(({ id }) => id), nodes.map(({ versionId }) => versionId)];
    await tx.sql.run(STOP_SQL, [tx.workspaceId, ids, versionIds, STOPPED_BY_PUBLISH, tx.at]);
    await tx.sql.run(BEGIN_SQL, [tx.workspaceId, ids, versionIds, tx.at]);
  }

  async stop(tx: WriteScope, transformationId: string, reason: string): Promise<void> {
    await tx.sql.run(STOP_SQL, [tx.workspaceId, [transformationId], [], reason, tx.at]);
  }

  async find({ sql, workspaceId }: Scope, versionId: string): Promise<TrialEntity | undefined> {
    return (await sql.getRepository(TrialEntity).findOneBy({ workspaceId, versionId })) ?? undefined;
  }

  /** The newest trials. */
  list({ sql, workspaceId }: Scope, transformationId: string): Promise<TrialEntity[]> {
    const where = { workspaceId, transformationId };
    return sql.getRepository(TrialEntity).find({ where, order: { position: 'DESC' }, take: TRIALS_SHOWN_MAX });
  }

  async count({ sql, workspaceId }: WriteScope, versionId: string, reports: Reports, tally: Tally): Promise<void> {
    await sql.getRepository(TrialEntity).update({ workspaceId, versionId }, { reports, ...tally });
  }

  async decide(tx: WriteScope, versionId: string, state: TrialState, reason: string | null = null): Promise<void> {
    const { sql, workspaceId, at: endedAt } = tx;
    await sql.getRepository(TrialEntity).update({ workspaceId, versionId }, { state, reason, endedAt });
  }

  /** Null if automatic rollback is off. Undefined if the transformation does not exist. */
  async errorRate({ sql, workspaceId }: Scope, id: string): Promise<number | null | undefined> {
    const transformations = sql.getRepository(TransformationEntity);
    return (await transformations.findOneBy({ workspaceId, id, deletedAt: IsNull() }))?.rollbackErrorRate;
  }

  async setErrorRate({ sql, workspaceId }: WriteScope, id: string, rollbackErrorRate: number | null): Promise<void> {
    await sql.getRepository(TransformationEntity).update({ workspaceId, id }, { rollbackErrorRate });
  }
}
