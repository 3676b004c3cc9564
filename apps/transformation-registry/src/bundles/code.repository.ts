import { Injectable } from '@nestjs/common';
import type { Scope } from '../database/workspace-database.js';

export interface StoredCode {
  versionId: string;
  /** Name of the transformation's revision or of the library. */
  name: string;
  /** Import name of a library. Null for a transformation. */
  importName: string | null;
  code: string;
}

interface CodeRow {
  version_id: string;
  name: string;
  import_name: string | null;
  code: string;
}

/** Reads the code of revisions of both artifacts. */
@Injectable()
export class CodeRepository {
  /** The revisions that exist in the workspace, by version id. */
  async byVersion(scope: Scope, versionIds: readonly string[]): Promise<Map<string, StoredCode>> {
    const { rows } = await scope.sql.run<CodeRow>(
      `SELECT version_id, name, NULL AS import_name, code FROM transformation_revisions
       WHERE workspace_id = $1 AND version_id = ANY($2)
       UNION ALL
       SELECT r.version_id, l.name, l.import_name, r.code FROM library_revisions r
       JOIN libraries l ON l.workspace_id = r.workspace_id AND l.id = r.library_id
       WHERE r.workspace_id = $1 AND r.version_id = ANY($2)`,
      [scope.workspaceId, versionIds],
    );
    return new Map(
      rows.map(({ version_id: versionId, name, import_name: importName, code }) => [
        versionId,
        { versionId, name, importName, code },
      ]),
    );
  }
}
