import { Injectable } from '@nestjs/common';
import {
  CreateLibrary,
  type DeleteLibrary,
  type GetLibraryVersion,
  type ListLibraries,
  type ListLibraryUsages,
  type ListLibraryVersions,
  notFound,
  type ReplyOf,
  type RequestOf,
  type TaggedLibrary,
  type TaggedLibraryRevision,
  UpdateLibrary,
} from '@weir/contracts';
import { newKsuid } from '@weir/service-kit';
import { WorkspaceDatabase, type WriteScope } from '../database/workspace-database.js';
import { Deadline } from '../gate/deadline.js';
import { PointerRepository } from '../gate/pointer.repository.js';
import { type Prepared, ReleaseGate } from '../gate/release-gate.js';
import { encodeCursor } from '../paging/cursor.js';
import { pageOf } from '../paging/page.js';
import { positionOf, versionsPage, versionsSlice } from '../paging/versions.js';
import { DestinationReleaseService } from '../releases/destination-release.service.js';
import { requireMatch } from '../rules/entity-tag.js';
import { checkExternalId, checkName } from '../rules/fields.js';
import { importNameOf } from '../rules/import-name.js';
import { checkLanguage, checkLanguageKept } from '../rules/language.js';
import { candidatesOf, firstRevision, nextRevision } from './library.draft.js';
import { LibraryRepository, type NewLibraryRevision } from './library.repository.js';
import {
  type LibraryRow,
  libraryOf,
  libraryRevisionOf,
  taggedLibraryOf,
  taggedLibraryRevisionOf,
} from './library.view.js';
import { assertUnused, usagesOf } from './library-use.js';

const WHAT = 'library';

interface PreparedRevision extends Prepared {
  revision: NewLibraryRevision;
}

/** Libraries follow the flow of transformations (spec section 3), and others depend on them. */
@Injectable()
export class LibraryService {
  constructor(
    private readonly database: WorkspaceDatabase,
    private readonly libraries: LibraryRepository,
    private readonly gate: ReleaseGate,
    private readonly pointers: PointerRepository,
    private readonly releases: DestinationReleaseService,
  ) {}

  async create(request: RequestOf<typeof CreateLibrary>): Promise<TaggedLibrary> {
    const language = checkLanguage(request.language);
    const revision = firstRevision({ id: newKsuid(), versionId: newKsuid() }, request, language);
    const library = {
      id: revision.id,
      name: checkName(request.name),
      importName: importNameOf(request.name),
      language,
      externalId: checkExternalId(request.externalId ?? '') || null,
      createdBy: request.createdBy,
    };
    const candidates = candidatesOf(revision, library, request);
    const { stored } = await this.gate.pass({
      workspaceId: request.workspaceId,
      deadline: Deadline.of(CreateLibrary),
      prepare: async (): Promise<PreparedRevision> => ({ revision, candidates }),
      apply: async (tx, prepared) => {
        await this.libraries.insert(tx, library);
        return this.store(tx, prepared, request.publish);
      },
    });
    return stored;
  }

  async update(request: RequestOf<typeof UpdateLibrary>): Promise<TaggedLibrary> {
    const ids = { id: request.id, versionId: newKsuid() };
    const { stored } = await this.gate.pass({
      workspaceId: request.workspaceId,
      deadline: Deadline.of(UpdateLibrary),
      prepare: async (scope): Promise<PreparedRevision> => {
        const latest = found(await this.libraries.findLatest(scope, request.id));
        requireMatch(latest, request.ifMatch);
        checkLanguageKept(latest.language, request.language);
        const revision = nextRevision(ids, request, latest);
        const { name, import_name: importName, language, external_id: externalId } = latest;
        const library = { name, importName, language, externalId };
        return { revision, candidates: candidatesOf(revision, library, request) };
      },
      apply: (tx, prepared) => this.store(tx, prepared, request.publish),
    });
    return stored;
  }

  async list({ workspaceId, after }: RequestOf<typeof ListLibraries>): Promise<ReplyOf<typeof ListLibraries>> {
    const rows = await this.libraries.listPublished(this.database.read(workspaceId), positionOf(after));
    const { items, next } = pageOf(rows, libraryOf);
    return { libraries: items, ...(next && { next: encodeCursor({ position: next }) }) };
  }

  async get(workspaceId: string, id: string): Promise<TaggedLibrary> {
    return taggedLibraryOf(found(await this.libraries.findPublished(this.database.read(workspaceId), id)));
  }

  delete({ workspaceId, id, ifMatch }: RequestOf<typeof DeleteLibrary>): Promise<void> {
    return this.database.write(workspaceId, async (tx) => {
      requireMatch(found(await this.libraries.findPublished(tx, id)), ifMatch);
      const published = await this.pointers.published(tx);
      const library = published.libraries.find((one) => one.id === id);
      if (!library) throw notFound(WHAT);
      assertUnused(library, published);
      await this.libraries.unpublish(tx, id);
    });
  }

  async usages({ workspaceId, id }: RequestOf<typeof ListLibraryUsages>): Promise<ReplyOf<typeof ListLibraryUsages>> {
    const published = await this.pointers.published(this.database.read(workspaceId));
    const library = published.libraries.find((one) => one.id === id);
    if (!library) throw notFound(WHAT);
    return usagesOf(library, published);
  }

  async listVersions(request: RequestOf<typeof ListLibraryVersions>): Promise<ReplyOf<typeof ListLibraryVersions>> {
    const scope = this.database.read(request.workspaceId);
    const { slice, left } = versionsSlice(request);
    const rows = await this.libraries.listRevisions(scope, request.id, slice);
    if (rows.length === 0 && !(await this.libraries.exists(scope, request.id))) throw notFound(WHAT);
    const positioned = rows.map((row) => ({ ...row, position: row.revision_position }));
    const { items, next } = versionsPage(positioned, libraryRevisionOf, left);
    return { versions: items, ...(next && { next }) };
  }

  async getVersion(request: RequestOf<typeof GetLibraryVersion>): Promise<TaggedLibraryRevision> {
    const scope = this.database.read(request.workspaceId);
    return taggedLibraryRevisionOf(
      found(await this.libraries.findRevision(scope, request.id, request.versionId), 'version'),
    );
  }

  private async store(
    tx: WriteScope,
    { revision, candidates }: PreparedRevision,
    publish: boolean,
  ): Promise<TaggedLibrary> {
    await this.libraries.addRevision(tx, revision);
    if (publish) {
      await this.pointers.publish(tx, candidates, revision.createdBy);
      await this.releases.refresh(tx);
    }
    return taggedLibraryOf(found(await this.libraries.findRevision(tx, revision.id, revision.versionId)));
  }
}

function found(row: LibraryRow | undefined, what = WHAT): LibraryRow {
  if (!row) throw notFound(what);
  return row;
}
