import { Body, Controller, Delete, Get, Param, Post, Put, Query, UseInterceptors } from '@nestjs/common';
import { Api } from '../../http/api.js';
import { EntityTagInterceptor, IfMatch, IfMatchHeader } from '../../http/entity-tag.js';
import { Caller, type Principal } from '../../http/principal.js';
import {
  CreateTransformationBody,
  CreateTransformationQuery,
  ListQuery,
  ShownTransformation,
  ShownTransformationRevision,
  StatusQuery,
  SUCCESS,
  Success,
  TransformationList,
  TransformationPath,
  TransformationVersionPath,
  TransformationVersions,
  UpdateTransformationBody,
  VersionsQuery,
  WriteQuery,
  WrittenTransformation,
} from './revision.schemas.js';
import { TransformationService } from './transformation.service.js';

const unreachable = ['unavailable', 'timeout'] as const;
const writing = ['tests_failed', 'conflict', 'too_large', ...unreachable] as const;
const reading = { area: 'transformations', access: 'read', errors: unreachable } as const;
const updating = {
  summary: 'Create a revision of a transformation. With publish=true it goes live. The name may change',
  area: 'transformations',
  access: 'write',
  params: TransformationPath,
  query: WriteQuery,
  headers: IfMatchHeader,
  body: UpdateTransformationBody,
  reply: WrittenTransformation,
  etag: 'answer',
  errors: ['precondition_failed', ...writing],
} as const;

type Id = { id: string };

/** Area A: transformations and their revisions (spec 4.1). */
@Controller()
@UseInterceptors(EntityTagInterceptor)
export class TransformationController {
  constructor(private readonly transformations: TransformationService) {}

  @Post('/transformations')
  @Api({
    summary: 'Create a transformation as a draft, or publish it',
    area: 'transformations',
    access: 'write',
    query: CreateTransformationQuery,
    body: CreateTransformationBody,
    reply: WrittenTransformation,
    etag: 'answer',
    errors: writing,
  })
  create(
    @Caller() caller: Principal,
    @Query() query: CreateTransformationQuery,
    @Body() body: CreateTransformationBody,
  ) {
    return this.transformations.create(caller, body, query);
  }

  @Get('/transformations')
  @Api({
    summary: 'List the published transformations, drafts, or both',
    ...reading,
    query: ListQuery,
    reply: TransformationList,
  })
  list(@Caller() caller: Principal, @Query() query: ListQuery) {
    return this.transformations.list(caller, query);
  }

  @Get('/transformations/:id')
  @Api({
    summary: 'Get a published transformation, or a draft',
    ...reading,
    params: TransformationPath,
    query: StatusQuery,
    reply: ShownTransformation,
    etag: 'answer',
  })
  get(@Caller() caller: Principal, @Param() { id }: Id, @Query() { status }: StatusQuery) {
    return this.transformations.get(caller, id, status);
  }

  @Post('/transformations/:id')
  @Api(updating)
  update(
    @Caller() caller: Principal,
    @Param() { id }: Id,
    @Query() query: WriteQuery,
    @Body() body: UpdateTransformationBody,
    @IfMatch() ifMatch: string[] | undefined,
  ) {
    return this.transformations.update(caller, id, body, query, ifMatch);
  }

  @Put('/transformations/:id')
  @Api({ ...updating, description: 'Same as POST, for clients that update with PUT.' })
  replace(
    @Caller() caller: Principal,
    @Param() path: Id,
    @Query() query: WriteQuery,
    @Body() body: UpdateTransformationBody,
    @IfMatch() ifMatch: string[] | undefined,
  ) {
    return this.update(caller, path, query, body, ifMatch);
  }

  @Delete('/transformations/:id')
  @Api({
    summary: 'Delete the published transformation, or a draft. Its revisions stay',
    area: 'transformations',
    access: 'write',
    params: TransformationPath,
    query: StatusQuery,
    headers: IfMatchHeader,
    reply: Success,
    errors: ['precondition_failed', ...unreachable],
  })
  async delete(
    @Caller() caller: Principal,
    @Param() { id }: Id,
    @Query() { status }: StatusQuery,
    @IfMatch() ifMatch: string[] | undefined,
  ) {
    await this.transformations.delete(caller, id, status, ifMatch);
    return SUCCESS;
  }

  @Get('/transformations/:id/versions')
  @Api({
    summary: 'List revisions of a transformation',
    ...reading,
    params: TransformationPath,
    query: VersionsQuery,
    reply: TransformationVersions,
  })
  versions(@Caller() caller: Principal, @Param() { id }: Id, @Query() query: VersionsQuery) {
    return this.transformations.versions(caller, id, query);
  }

  @Get('/transformations/:id/versions/:versionId')
  @Api({
    summary: 'Get a revision of a transformation',
    ...reading,
    params: TransformationVersionPath,
    reply: ShownTransformationRevision,
    etag: 'answer',
  })
  version(@Caller() caller: Principal, @Param() { id, versionId }: Id & { versionId: string }) {
    return this.transformations.version(caller, id, versionId);
  }
}
