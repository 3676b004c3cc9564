import { Injectable } from '@nestjs/common';
import {
  AppError,
  CreateLibrary,
  type DeleteLibrary,
  type Library,
  type ListLibraryUsages,
  type ReplyOf,
  type RequestOf,
  UpdateLibrary,
  type WrittenLibrary,
} from '@weir/contracts';
import { type Scope, WorkspaceDatabase } from '../database/workspace-database.js';
import { RevisionWriter } from '../publishing/revision.writer.js';
import { LIBRARY } from '../revisions/artifact.js';
import { type Candidates, type CodeNode, type LibraryNode, NO_CANDIDATES, type Published } from '../revisions/nodes.js';
import { PointerRepository } from '../revisions/pointer.repository.js';
import { type Base, type Draft, revisionOn } from '../revisions/revision.draft.js';
import { found } from '../revisions/revision.reader.js';
import { checkedImportName, checkName, checkRunnable } from '../rules/fields.js';

/** Writes libraries and lists their usages. */
@Injectable()
export class LibraryService {
  constructor(
    private readonly database: WorkspaceDatabase,
    private readonly writer: RevisionWriter,
    private readonly pointers: PointerRepository,
  ) {}

  async create(request: RequestOf<typeof CreateLibrary>): Promise<Library> {
    const name = checkName(request.name);
    const columns = { name, importName: checkedImportName(name) };
    const recipe = { call: CreateLibrary, columns, draft: (base: Base) => draftOn(base, request) };
    return (await this.writer.create(LIBRARY, request, recipe)).stored;
  }

  async update(request: RequestOf<typeof UpdateLibrary>): Promise<WrittenLibrary> {
    const recipe = { call: UpdateLibrary, draft: (base: Base) => draftOn(base, request) };
    return (await this.writer.update(LIBRARY, request, recipe)).stored;
  }

  delete(request: RequestOf<typeof DeleteLibrary>): Promise<void> {
    return this.writer.delete(LIBRARY, request, async (tx) => {
      const { library, published } = await this.withPublished(tx, request.id);
      assertUnused(library, published);
    });
  }

  async usages({ workspaceId, id }: RequestOf<typeof ListLibraryUsages>): Promise<ReplyOf<typeof ListLibraryUsages>> {
    const { library, published } = await this.withPublished(this.database.read(workspaceId), id);
    return usagesOf(library, published);
  }

  private async withPublished(scope: Scope, id: string) {
    const published = await this.pointers.published(scope);
    const library = published.libraries.find((one) => one.id === id);
    return { library: found(library, LIBRARY.type), published };
  }
}

type Request = RequestOf<typeof CreateLibrary> | RequestOf<typeof UpdateLibrary>;

/** Ignores another name without an error, because real clients send one with every update (wire-facts 1.5). */
export function draftOn(base: Base, request: Request): Draft {
  const revision = revisionOn(base, request);
  return { revision, candidates: candidatesOf({ ...base, ...revision }, request) };
}

/** A library is tested when it is published. Drafts are stored without tests (ruling 5). */
function candidatesOf(
  { id, versionId, name, code, imports, language, externalId }: Base & Draft['revision'],
  { publish, credentials, allowFetch }: Request,
): Candidates {
  if (!publish) return NO_CANDIDATES;
  checkRunnable(name, language);
  return {
    ...NO_CANDIDATES,
    libraries: [
      { id, versionId, name, importName: checkedImportName(name), imports, ...(externalId !== null && { externalId }) },
    ],
    runsSavedTests: true,
    reach: { credentials, allowFetch },
    unsavedCode: new Map([[versionId, code]]),
  };
}

/** Importers that a message names. The others are only counted. */
const NAMED_MAX = 10;

/** A library cannot be deleted while published code imports it (ruling 9). */
function assertUnused(library: LibraryNode, { transformations, libraries }: Published): void {
  const imports = (node: { imports: readonly string[] }) => node.imports.includes(library.importName);
  const users = [
    ...transformations.filter(imports).map(({ name }) => `transformation ${name}`),
    ...libraries.filter(imports).map(({ name }) => `library ${name}`),
  ];
  if (users.length === 0) return;
  const others = users.length > NAMED_MAX ? ` and ${users.length - NAMED_MAX} more` : '';
  throw new AppError(
    'conflict',
    `library ${library.name} is imported by ${users.slice(0, NAMED_MAX).join(', ')}${others}: ` +
      'publish them without this import, or delete them first',
  );
}

type Usages = ReplyOf<typeof ListLibraryUsages>;

/** Usages in one answer, so that it fits one message. */
const USAGES_MAX = 1_000;

/**
 * Published code that runs the library, directly or through other libraries. Transformations come first, then order of creation.
 */
export function usagesOf(library: LibraryNode, { transformations, libraries }: Published): Usages {
  const reaching = new Set([library.importName]);
  for (let size = 0; size < reaching.size; ) {
    size = reaching.size;
    for (const { importName, imports } of libraries) {
      if (imports.some((name) => reaching.has(name))) reaching.add(importName);
    }
  }
  const used = (kind: Usages['usages'][number]['kind'], nodes: readonly CodeNode[]) =>
    nodes
      .filter(({ imports }) => imports.some((name) => reaching.has(name)))
      .map(({ id, name, versionId, imports }) => ({
        ...{ kind, id, name, versionId },
        direct: imports.includes(library.importName),
      }));
  const usages = [...used('transformation', transformations), ...used('library', libraries)];
  return { usages: usages.slice(0, USAGES_MAX), total: usages.length };
}
