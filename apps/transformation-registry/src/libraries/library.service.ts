import { Injectable } from '@nestjs/common';
import {
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
import { type Candidates, NO_CANDIDATES } from '../revisions/nodes.js';
import { PointerRepository } from '../revisions/pointer.repository.js';
import { type Base, type Draft, revisionOn } from '../revisions/revision.draft.js';
import { found } from '../revisions/revision.reader.js';
import { checkedImportName, checkName } from '../rules/fields.js';
import { checkRunnable } from '../rules/language.js';
import { assertUnused, usagesOf } from './library-use.js';

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
