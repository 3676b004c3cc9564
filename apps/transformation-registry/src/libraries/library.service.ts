import { Injectable } from '@nestjs/common';
import {
  CreateLibrary,
  type DeleteLibrary,
  type ListLibraryUsages,
  type ReplyOf,
  type RequestOf,
  type TaggedLibrary,
  UpdateLibrary,
  type WrittenLibrary,
} from '@weir/contracts';
import { type Scope, WorkspaceDatabase } from '../database/workspace-database.js';
import { PointerRepository } from '../gate/pointer.repository.js';
import type { Base } from '../revisions/revision.draft.js';
import { found } from '../revisions/revision.reader.js';
import { RevisionWriter } from '../revisions/revision.writer.js';
import { checkName } from '../rules/fields.js';
import { importNameOf } from '../rules/import-name.js';
import { draftOn } from './library.draft.js';
import { LIBRARY } from './library.kind.js';
import { assertUnused, usagesOf } from './library-use.js';

/** Writes libraries and lists their usages. */
@Injectable()
export class LibraryService {
  constructor(
    private readonly database: WorkspaceDatabase,
    private readonly writer: RevisionWriter,
    private readonly pointers: PointerRepository,
  ) {}

  async create(request: RequestOf<typeof CreateLibrary>): Promise<TaggedLibrary> {
    const name = checkName(request.name);
    const columns = { name, import_name: importNameOf(name) };
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
    return { library: found(library, LIBRARY.what), published };
  }
}
