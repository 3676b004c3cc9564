import { Controller } from '@nestjs/common';
import {
  CreateLibrary,
  DeleteLibrary,
  GetLibrary,
  GetLibraryVersion,
  ListLibraries,
  ListLibraryUsages,
  ListLibraryVersions,
  type ReplyOf,
  type RequestOf,
  UpdateLibrary,
} from '@weir/contracts';
import { Handles } from '@weir/messaging';
import { LIBRARY } from '../revisions/artifact.js';
import { RevisionReader } from '../revisions/revision.reader.js';
import { LibraryService } from './library.service.js';

@Controller()
export class LibraryController {
  constructor(
    private readonly libraries: LibraryService,
    private readonly reader: RevisionReader,
  ) {}

  @Handles(CreateLibrary)
  create(request: RequestOf<typeof CreateLibrary>): Promise<ReplyOf<typeof CreateLibrary>> {
    return this.libraries.create(request);
  }

  @Handles(UpdateLibrary)
  update(request: RequestOf<typeof UpdateLibrary>): Promise<ReplyOf<typeof UpdateLibrary>> {
    return this.libraries.update(request);
  }

  @Handles(ListLibraries)
  async list(request: RequestOf<typeof ListLibraries>): Promise<ReplyOf<typeof ListLibraries>> {
    const { items: libraries, ...page } = await this.reader.list(LIBRARY, request);
    return { libraries, ...page };
  }

  @Handles(GetLibrary)
  get(request: RequestOf<typeof GetLibrary>): Promise<ReplyOf<typeof GetLibrary>> {
    return this.reader.get(LIBRARY, request);
  }

  @Handles(DeleteLibrary)
  async delete(request: RequestOf<typeof DeleteLibrary>): Promise<ReplyOf<typeof DeleteLibrary>> {
    await this.libraries.delete(request);
    return {};
  }

  @Handles(ListLibraryUsages)
  usages(request: RequestOf<typeof ListLibraryUsages>): Promise<ReplyOf<typeof ListLibraryUsages>> {
    return this.libraries.usages(request);
  }

  @Handles(ListLibraryVersions)
  listVersions(request: RequestOf<typeof ListLibraryVersions>): Promise<ReplyOf<typeof ListLibraryVersions>> {
    return this.reader.listVersions(LIBRARY, request);
  }

  @Handles(GetLibraryVersion)
  getVersion(request: RequestOf<typeof GetLibraryVersion>): Promise<ReplyOf<typeof GetLibraryVersion>> {
    return this.reader.getVersion(LIBRARY, request);
  }
}
