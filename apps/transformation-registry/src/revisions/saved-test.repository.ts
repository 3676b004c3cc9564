import { Injectable } from '@nestjs/common';
import type { SavedTests, TestCase } from '@weir/contracts';
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

/** Tests that every publish of a transformation runs. They stay when it is deleted, as its revisions do. */
@Injectable()
export class SavedTestRepository {
  async find({ sql, workspaceId }: Scope, transformationId: string): Promise<SavedTests> {
    const row = await sql.getRepository(SavedTestsEntity).findOneBy({ workspaceId, transformationId });
    if (!row) return { tests: [] };
    return { tests: row.tests, updatedBy: row.updatedBy, updatedAt: row.updatedAt.toISOString() };
  }

  async put({ sql, workspaceId, at }: WriteScope, transformationId: string, tests: TestCase[], by: string) {
    await sql.run(
      `INSERT INTO saved_tests (workspace_id, transformation_id, tests, updated_by, updated_at)
       VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (workspace_id, transformation_id) DO UPDATE
       SET tests = EXCLUDED.tests, updated_by = EXCLUDED.updated_by, updated_at = EXCLUDED.updated_at`,
      [workspaceId, transformationId, JSON.stringify(tests), by, at],
    );
  }

  /** Whether there is such a transformation that is not deleted. */
  isKnown({ sql, workspaceId }: Scope, id: string): Promise<boolean> {
    return sql.getRepository(TransformationEntity).existsBy({ workspaceId, id, deletedAt: IsNull() });
  }
}
