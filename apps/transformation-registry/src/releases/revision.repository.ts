import { Injectable } from '@nestjs/common';
import type { Scope } from '../database/workspace-database.js';
import type { CodeNode, LibraryNode } from '../gate/nodes.js';
import { nullable } from '../rules/nullable.js';

interface RevisionRow {
  id: string;
  version_id: string;
  name: string;
  external_id: string | null;
  imports: string[];
  language: string;
}

export type Revision<N extends CodeNode> = N & { language: string };

/** Revisions named by a publish request, also of what was deleted. */
@Injectable()
export class RevisionRepository {
  async transformations(scope: Scope, versionIds: readonly string[]): Promise<Map<string, Revision<CodeNode>>> {
    const rows = await scope.sql.query<RevisionRow[]>(
      `SELECT t.id, r.version_id, r.name, t.external_id, r.imports, t.language
       FROM transformation_revisions r
       JOIN transformations t ON t.workspace_id = r.workspace_id AND t.id = r.transformation_id
       WHERE r.workspace_id = $1 AND r.version_id = ANY($2)`,
      [scope.workspaceId, versionIds],
    );
    return new Map(rows.map((row) => [row.version_id, revisionOf(row)]));
  }

  async libraries(scope: Scope, versionIds: readonly string[]): Promise<Map<string, Revision<LibraryNode>>> {
    const rows = await scope.sql.query<(RevisionRow & { import_name: string })[]>(
      `SELECT l.id, r.version_id, l.name, l.external_id, r.imports, l.language, l.import_name
       FROM library_revisions r
       JOIN libraries l ON l.workspace_id = r.workspace_id AND l.id = r.library_id
       WHERE r.workspace_id = $1 AND r.version_id = ANY($2)`,
      [scope.workspaceId, versionIds],
    );
    return new Map(rows.map((row) => [row.version_id, { ...revisionOf(row), importName: row.import_name }]));
  }
}

const revisionOf = ({ id, version_id, name, external_id, imports, language }: RevisionRow): Revision<CodeNode> => ({
  id,
  versionId: version_id,
  name,
  ...nullable('externalId', external_id),
  imports,
  language,
});
