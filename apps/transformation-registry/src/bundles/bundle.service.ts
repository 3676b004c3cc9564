import { Injectable } from '@nestjs/common';
import {
  AppError,
  BUNDLE_LIBRARIES_MAX,
  type CodeBundle,
  type GetBundle,
  invalidField,
  notFound,
  type RequestOf,
} from '@weir/contracts';
import { bundleSizeProblem } from '@weir/imports';
import { type Scope, WorkspaceDatabase } from '../database/workspace-database.js';

interface StoredCode {
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

@Injectable()
export class BundleService {
  constructor(
    private readonly database: WorkspaceDatabase,
    private readonly codes: CodeRepository,
  ) {}

  async get({ workspaceId, versionId, libraryVersionIds }: RequestOf<typeof GetBundle>): Promise<CodeBundle> {
    if (libraryVersionIds.length > BUNDLE_LIBRARIES_MAX) {
      throw invalidField('libraryVersionIds', `must name at most ${BUNDLE_LIBRARIES_MAX}`);
    }
    const stored = await this.codes.byVersion(this.database.read(workspaceId), [versionId, ...libraryVersionIds]);
    const root = codeOf(stored, versionId);
    if (root.importName !== null) throw notFound(`version ${versionId}`);
    const libraries = [...libraryVersionIds].sort().map((id) => libraryOf(codeOf(stored, id)));
    return bundleOf(root, libraries);
  }
}

function codeOf(stored: ReadonlyMap<string, StoredCode>, versionId: string): StoredCode {
  const code = stored.get(versionId);
  if (!code) throw notFound(`version ${versionId}`);
  return code;
}

function libraryOf({ versionId, importName, code }: StoredCode) {
  if (importName === null) throw notFound(`library version ${versionId}`);
  return { versionId, importName, code };
}

export interface BundleRoot {
  versionId: string;
  name: string;
  code: string;
}

export interface BundleLibrary {
  versionId: string;
  importName: string;
  code: string;
}

/** Throws `too_large` if the bundle does not fit one message together with an event. */
export function bundleOf(root: BundleRoot, libraries: readonly BundleLibrary[]): CodeBundle {
  const bundle = {
    key: [root.versionId, ...libraries.map(({ versionId }) => versionId)].join(':'),
    name: root.name,
    code: root.code,
    libraries: libraries.map(({ importName, code }) => ({ importName, code })),
  };
  const problem = bundleSizeProblem(bundle);
  if (problem !== undefined) throw new AppError('too_large', problem);
  return bundle;
}
