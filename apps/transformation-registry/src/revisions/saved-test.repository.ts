import { Injectable } from '@nestjs/common';
import { invalidField, SAVED_TESTS_BYTES_MAX, type SavedTests, type TestCase } from '@weir/contracts';
import { recordAct } from '@weir/service-kit';
import { Column, Entity, ForeignKey, IsNull, PrimaryColumn } from 'typeorm';
import type { Scope, WriteScope } from '../database/workspace-database.js';
import { TransformationEntity } from './artifact.entity.js';

@Entity('saved_tests')
@ForeignKey(() => TransformationEntity, ['workspaceId', 'transformationId'], ['workspaceId', 'id'], {
  name: 'saved_tests_workspace_id_transformation_id_fkey',
})
export class SavedTestsEntity {
  @PrimaryColumn({ name: 'workspace_id', type: 'text' })
  declare workspaceId: string;

  @PrimaryColumn({ name: 'transformation_id', type: 'text' })
  declare transformationId: string;

  @Column({ type: 'jsonb' })
  declare tests: TestCase[];

  @Column({ name: 'updated_by', type: 'text' })
  declare updatedBy: string;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  declare updatedAt: Date;
}

/** Refuses more than a publish can read beside the code. */
export function requireFittingTests(tests: readonly TestCase[]): void {
  if (Buffer.byteLength(JSON.stringify(tests)) <= SAVED_TESTS_BYTES_MAX) return;
  throw invalidField('tests', `must be at most ${SAVED_TESTS_BYTES_MAX} bytes together: shorten their events`);
}

/** Tests that every publish of a transformation runs. They stay when it is deleted, as its revisions do. */
@Injectable()
export class SavedTestRepository {
  async find({ sql, workspaceId }: Scope, transformationId: string): Promise<SavedTests> {
    const row = await sql.getRepository(SavedTestsEntity).findOneBy({ workspaceId, transformationId });
    if (!row) return { tests: [] };
    return { tests: row.tests, updatedBy: row.updatedBy, updatedAt: row.updatedAt.toISOString() };
  }

  async put(tx: WriteScope, transformationId: string, tests: TestCase[], by: string) {
    await tx.sql.run(
      `INSERT INTO saved_tests (workspace_id, transformation_id, tests, updated_by, updated_at)
       VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (workspace_id, transformation_id) DO UPDATE
       SET tests = EXCLUDED.tests, updated_by = EXCLUDED.updated_by, updated_at = EXCLUDED.updated_at`,
      [tx.workspaceId, transformationId, JSON.stringify(tests), by, tx.at],
    );
    const details = { id: transformationId, tests: tests.length };
    await recordAct(tx, by, { action: 'transformation.tests_saved', details });
  }

  /** Whether there is such a transformation that is not deleted. */
  isKnown({ sql, workspaceId }: Scope, id: string): Promise<boolean> {
    return sql.getRepository(TransformationEntity).existsBy({ workspaceId, id, deletedAt: IsNull() });
  }
}
