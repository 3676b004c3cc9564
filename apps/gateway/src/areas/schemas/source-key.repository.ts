import { Injectable } from '@nestjs/common';
import type { SourcePrivacy } from '@weir/contracts';
import { Database } from '@weir/service-kit';
import { recordAct } from '../../acts/acting.js';

/** Write keys of sources. Reads the database, because the mirror may lag. */
@Injectable()
export class SourceKeyRepository {
  constructor(private readonly database: Database) {}

  async belongs(workspaceId: string, writeKey: string): Promise<boolean> {
    const { rows } = await this.database.run(`SELECT FROM sources WHERE workspace_id = $1 AND write_key = $2`, [
      workspaceId,
      writeKey,
    ]);
    return rows.length > 0;
  }

  /** Ids of the sources of a workspace, by write key. */
  async idsByKey(workspaceId: string): Promise<ReadonlyMap<string, string>> {
    const { rows } = await this.database.run<{ id: string; writeKey: string }>(
      `SELECT id, write_key AS "writeKey" FROM sources WHERE workspace_id = $1`,
      [workspaceId],
    );
    return new Map(rows.map(({ id, writeKey }) => [writeKey, id]));
  }

  /** Write keys of sources with this name: at most one in a workspace. Without a workspace, the first two of all. */
  async named(workspaceId: string | undefined, name: string): Promise<string[]> {
    const { rows } = await this.database.run<{ writeKey: string }>(
      `SELECT write_key AS "writeKey" FROM sources WHERE name = $1 AND ($2::text IS NULL OR workspace_id = $2) LIMIT 2`,
      [name, workspaceId ?? null],
    );
    return rows.map(({ writeKey }) => writeKey);
  }

  /**
   * Notes the act once the schema service has stored the settings. If this fails, the caller gets an error and repeats a request
   * that is safe to repeat. A write key without a source belongs to no workspace, and so to no trail.
   */
  async notePrivacy(writeKey: string, { Samples, MaskedKeys }: SourcePrivacy): Promise<void> {
    const { rows } = await this.database.run<{ id: string; workspaceId: string }>(
      `SELECT id, workspace_id AS "workspaceId" FROM sources WHERE write_key = $1`,
      [writeKey],
    );
    const details = { samples: Samples, maskedKeys: MaskedKeys };
    for (const source of rows)
      await recordAct(this.database, { kind: 'source', verb: 'privacy_changed', ...source, details });
  }
}
