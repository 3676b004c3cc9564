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
import { WorkspaceDatabase } from '../database/workspace-database.js';
import { CodeRepository, type StoredCode } from './code.repository.js';

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
