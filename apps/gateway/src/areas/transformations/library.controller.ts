import { Body, Controller, Delete, Get, Param, Post, Put, Query, UseInterceptors } from '@nestjs/common';
import { ListLibraryUsages } from '@weir/contracts';
import type { z } from 'zod';
import { Caller, type Principal } from '../../auth/principal.js';
import { Api } from '../../http/api.js';
import { EntityTagInterceptor, IfMatch } from '../../http/entity-tag.js';
import { LibraryService } from './library.service.js';
import {
  CreateLibraryBody,
  LibraryList,
  LibraryPath,
  LibraryVersionList,
  LibraryVersionPath,
  PublishQuery,
  ShownLibrary,
  ShownLibraryRevision,
  SUCCESS,
  Success,
  UpdateLibraryBody,
  VersionsQuery,
} from './transformation.schemas.js';

const area = 'transformations';
const params = LibraryPath;
const unreachable = ['unavailable', 'timeout'] as const;
const writing = ['tests_failed', 'conflict', 'too_large', ...unreachable] as const;
type Path = z.output<typeof LibraryPath>;

const updating = {
  summary: 'Make a new revision; with publish=true it becomes the live one. The name stays',
  area,
  access: 'write',
  params,
  query: PublishQuery,
  body: UpdateLibraryBody,
  reply: ShownLibrary,
  errors: ['precondition_failed', ...writing],
} as const;

/** Area A: libraries (spec 4.1). */
@Controller('libraries')
@UseInterceptors(EntityTagInterceptor)
export class LibraryController {
  constructor(private readonly libraries: LibraryService) {}

  @Post()
  @Api({
    summary: 'Create a library, as a revision or published',
    area,
    access: 'write',
    query: PublishQuery,
    body: CreateLibraryBody,
    reply: ShownLibrary,
    errors: writing,
  })
  create(@Caller() caller: Principal, @Query() { publish }: PublishQuery, @Body() body: CreateLibraryBody) {
    return this.libraries.create(caller, body, publish);
  }

  @Get()
  @Api({ summary: 'List the published libraries', area, access: 'read', reply: LibraryList, errors: unreachable })
  list(@Caller() caller: Principal) {
    return this.libraries.list(caller);
  }

  @Get(':id')
  @Api({ summary: 'One published library', area, access: 'read', params, reply: ShownLibrary, errors: unreachable })
  get(@Caller() caller: Principal, @Param() { id }: Path) {
    return this.libraries.get(caller, id);
  }

  @Post(':id')
  @Api(updating)
  update(
    @Caller() caller: Principal,
    @Param() { id }: Path,
    @Query() { publish }: PublishQuery,
    @Body() body: UpdateLibraryBody,
    @IfMatch() ifMatch: string[] | undefined,
  ) {
    return this.libraries.update(caller, id, { ...body, ifMatch }, publish);
  }

  @Put(':id')
  @Api({ ...updating, description: 'The same as POST, for clients that update so.' })
  replace(
    @Caller() caller: Principal,
    @Param() { id }: Path,
    @Query() { publish }: PublishQuery,
    @Body() body: UpdateLibraryBody,
    @IfMatch() ifMatch: string[] | undefined,
  ) {
    return this.libraries.update(caller, id, { ...body, ifMatch }, publish);
  }

  @Delete(':id')
  @Api({
    summary: 'Delete the published library, unless a published transformation imports it; its revisions stay',
    area,
    access: 'write',
    params,
    reply: Success,
    errors: ['conflict', 'precondition_failed', ...unreachable],
  })
  async delete(@Caller() caller: Principal, @Param() { id }: Path, @IfMatch() ifMatch: string[] | undefined) {
    await this.libraries.delete(caller, id, ifMatch);
    return SUCCESS;
  }

  @Get(':id/usages')
  @Api({
    summary: 'Published transformations and libraries that run a library, themselves or through another one',
    area,
    access: 'read',
    params,
    reply: ListLibraryUsages.reply,
    errors: unreachable,
  })
  usages(@Caller() { workspaceId }: Principal, @Param() { id }: Path) {
    return this.libraries.usages(workspaceId, id);
  }

  @Get(':id/versions')
  @Api({
    summary: 'List revisions of a library',
    area,
    access: 'read',
    params,
    query: VersionsQuery,
    reply: LibraryVersionList,
    errors: unreachable,
  })
  versions(@Caller() caller: Principal, @Param() { id }: Path, @Query() query: VersionsQuery) {
    return this.libraries.versions(caller, id, query);
  }

  @Get(':id/versions/:versionId')
  @Api({
    summary: 'One revision of a library',
    area,
    access: 'read',
    params: LibraryVersionPath,
    reply: ShownLibraryRevision,
    errors: unreachable,
  })
  version(@Caller() caller: Principal, @Param() { id, versionId }: z.output<typeof LibraryVersionPath>) {
    return this.libraries.version(caller, id, versionId);
  }
}
