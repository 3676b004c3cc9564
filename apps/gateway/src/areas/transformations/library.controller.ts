import { Body, Controller, Delete, Get, Param, Post, Put, Query, UseInterceptors } from '@nestjs/common';
import { ListLibraryUsages } from '@weir/contracts';
import { Api } from '../../http/api.js';
import { EntityTagInterceptor, IfMatch, IfMatchHeader } from '../../http/entity-tag.js';
import { Caller, type Principal } from '../../http/principal.js';
import { LibraryService } from './library.service.js';
import {
  CreateLibraryQuery,
  LibraryList,
  LibraryPath,
  LibraryVersionPath,
  LibraryVersions,
  ListQuery,
  NewObjectBody,
  PublishQuery,
  RevisionBody,
  ShownLibrary,
  ShownLibraryRevision,
  StatusQuery,
  SUCCESS,
  Success,
  VersionsQuery,
  WrittenLibrary,
} from './revision.schemas.js';

const unreachable = ['unavailable', 'timeout'] as const;
const writing = ['tests_failed', 'conflict', 'too_large', ...unreachable] as const;
const reading = { area: 'transformations', access: 'read', errors: unreachable } as const;
const updating = {
  summary: 'Create a revision of a library. With publish=true it goes live. The name cannot change',
  area: 'transformations',
  access: 'write',
  params: LibraryPath,
  query: PublishQuery,
  headers: IfMatchHeader,
  body: RevisionBody,
  reply: WrittenLibrary,
  etag: 'answer',
  errors: ['precondition_failed', ...writing],
} as const;

type Id = { id: string };

/** Area A: libraries and their revisions (spec 4.1). */
@Controller()
@UseInterceptors(EntityTagInterceptor)
export class LibraryController {
  constructor(private readonly libraries: LibraryService) {}

  @Post('/libraries')
  @Api({
    summary: 'Create a library as a draft, or publish it',
    area: 'transformations',
    access: 'write',
    query: CreateLibraryQuery,
    body: NewObjectBody,
    reply: WrittenLibrary,
    etag: 'answer',
    errors: writing,
  })
  create(@Caller() caller: Principal, @Query() query: CreateLibraryQuery, @Body() body: NewObjectBody) {
    return this.libraries.create(caller, body, query);
  }

  @Get('/libraries')
  @Api({ summary: 'List the published libraries, drafts, or both', ...reading, query: ListQuery, reply: LibraryList })
  list(@Caller() caller: Principal, @Query() query: ListQuery) {
    return this.libraries.list(caller, query);
  }

  @Get('/libraries/:id')
  @Api({
    summary: 'Get a published library, or a draft',
    ...reading,
    params: LibraryPath,
    query: StatusQuery,
    reply: ShownLibrary,
    etag: 'answer',
  })
  get(@Caller() caller: Principal, @Param() { id }: Id, @Query() { status }: StatusQuery) {
    return this.libraries.get(caller, id, status);
  }

  @Post('/libraries/:id')
  @Api(updating)
  update(
    @Caller() caller: Principal,
    @Param() { id }: Id,
    @Query() query: PublishQuery,
    @Body() body: RevisionBody,
    @IfMatch() ifMatch: string[] | undefined,
  ) {
    return this.libraries.update(caller, id, body, query, ifMatch);
  }

  @Put('/libraries/:id')
  @Api({ ...updating, description: 'Same as POST, for clients that update with PUT.' })
  replace(
    @Caller() caller: Principal,
    @Param() path: Id,
    @Query() query: PublishQuery,
    @Body() body: RevisionBody,
    @IfMatch() ifMatch: string[] | undefined,
  ) {
    return this.update(caller, path, query, body, ifMatch);
  }

  @Delete('/libraries/:id')
  @Api({
    summary: 'Delete the published library unless published code imports it, or a draft. Its revisions stay',
    area: 'transformations',
    access: 'write',
    params: LibraryPath,
    query: StatusQuery,
    headers: IfMatchHeader,
    reply: Success,
    errors: ['precondition_failed', 'conflict', ...unreachable],
  })
  async delete(
    @Caller() caller: Principal,
    @Param() { id }: Id,
    @Query() { status }: StatusQuery,
    @IfMatch() ifMatch: string[] | undefined,
  ) {
    await this.libraries.delete(caller, id, status, ifMatch);
    return SUCCESS;
  }

  @Get('/libraries/:id/versions')
  @Api({
    summary: 'List revisions of a library',
    ...reading,
    params: LibraryPath,
    query: VersionsQuery,
    reply: LibraryVersions,
  })
  versions(@Caller() caller: Principal, @Param() { id }: Id, @Query() query: VersionsQuery) {
    return this.libraries.versions(caller, id, query);
  }

  @Get('/libraries/:id/versions/:versionId')
  @Api({
    summary: 'Get a revision of a library',
    ...reading,
    params: LibraryVersionPath,
    reply: ShownLibraryRevision,
    etag: 'answer',
  })
  version(@Caller() caller: Principal, @Param() { id, versionId }: Id & { versionId: string }) {
    return this.libraries.version(caller, id, versionId);
  }

  @Get('/libraries/:id/usages')
  @Api({
    summary: 'List the published transformations and libraries that import a library, directly or through another one',
    ...reading,
    params: LibraryPath,
    reply: ListLibraryUsages.reply,
  })
  usages(@Caller() { workspaceId }: Principal, @Param() { id }: Id) {
    return this.libraries.usages(workspaceId, id);
  }
}
