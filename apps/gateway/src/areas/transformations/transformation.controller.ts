import { Body, Controller, Delete, Get, Param, Post, Put, Query, UseInterceptors } from '@nestjs/common';
import { GetTransformation, GetTransformationVersion, Transformation, TransformationRevision } from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import type { z } from 'zod';
import { Caller, type Principal } from '../../auth/principal.js';
import { Api } from '../../http/api.js';
import { EntityTagInterceptor, IfMatch } from '../../http/entity-tag.js';
import {
  CreateTransformationBody,
  PublishQuery,
  SUCCESS,
  Success,
  TransformationList,
  TransformationPath,
  TransformationVersionList,
  TransformationVersionPath,
  UpdateTransformationBody,
  VersionsQuery,
} from './transformation.schemas.js';
import { TransformationService } from './transformation.service.js';

const area = 'transformations';
const params = TransformationPath;
const unreachable = ['unavailable', 'timeout'] as const;
const writing = ['tests_failed', 'conflict', 'too_large', ...unreachable] as const;
type Path = z.output<typeof TransformationPath>;

const updating = {
  summary: 'Make a new revision; with publish=true it becomes the live one',
  area,
  access: 'write',
  params,
  query: PublishQuery,
  body: UpdateTransformationBody,
  reply: Transformation,
  errors: ['precondition_failed', ...writing],
} as const;

/** Area A: transformations (spec 4.1). */
@Controller('transformations')
@UseInterceptors(EntityTagInterceptor)
export class TransformationController {
  constructor(
    private readonly transformations: TransformationService,
    private readonly rpc: RpcClient,
  ) {}

  @Post()
  @Api({
    summary: 'Create a transformation, as a revision or published',
    area,
    access: 'write',
    query: PublishQuery,
    body: CreateTransformationBody,
    reply: Transformation,
    errors: writing,
  })
  create(@Caller() caller: Principal, @Query() { publish }: PublishQuery, @Body() body: CreateTransformationBody) {
    return this.transformations.create(caller, body, publish);
  }

  @Get()
  @Api({
    summary: 'List the published transformations',
    area,
    access: 'read',
    reply: TransformationList,
    errors: unreachable,
  })
  list(@Caller() { workspaceId }: Principal) {
    return this.transformations.list(workspaceId);
  }

  @Get(':id')
  @Api({
    summary: 'One published transformation',
    area,
    access: 'read',
    params,
    reply: Transformation,
    errors: unreachable,
  })
  get(@Caller() { workspaceId }: Principal, @Param() { id }: Path) {
    return this.rpc.send(GetTransformation, { workspaceId, id });
  }

  @Post(':id')
  @Api(updating)
  update(
    @Caller() caller: Principal,
    @Param() { id }: Path,
    @Query() { publish }: PublishQuery,
    @Body() body: UpdateTransformationBody,
    @IfMatch() ifMatch: string[] | undefined,
  ) {
    return this.transformations.update(caller, id, { ...body, ifMatch }, publish);
  }

  @Put(':id')
  @Api({ ...updating, description: 'The same as POST, for clients that update so.' })
  replace(
    @Caller() caller: Principal,
    @Param() { id }: Path,
    @Query() { publish }: PublishQuery,
    @Body() body: UpdateTransformationBody,
    @IfMatch() ifMatch: string[] | undefined,
  ) {
    return this.transformations.update(caller, id, { ...body, ifMatch }, publish);
  }

  @Delete(':id')
  @Api({
    summary: 'Delete the published transformation; its revisions stay',
    area,
    access: 'write',
    params,
    reply: Success,
    errors: ['precondition_failed', ...unreachable],
  })
  async delete(@Caller() { workspaceId }: Principal, @Param() { id }: Path, @IfMatch() ifMatch: string[] | undefined) {
    await this.transformations.delete(workspaceId, id, ifMatch);
    return SUCCESS;
  }

  @Get(':id/versions')
  @Api({
    summary: 'List revisions of a transformation',
    area,
    access: 'read',
    params,
    query: VersionsQuery,
    reply: TransformationVersionList,
    errors: unreachable,
  })
  versions(@Caller() { workspaceId }: Principal, @Param() { id }: Path, @Query() query: VersionsQuery) {
    return this.transformations.versions(workspaceId, id, query);
  }

  @Get(':id/versions/:versionId')
  @Api({
    summary: 'One revision of a transformation',
    area,
    access: 'read',
    params: TransformationVersionPath,
    reply: TransformationRevision,
    errors: unreachable,
  })
  version(
    @Caller() { workspaceId }: Principal,
    @Param() { id, versionId }: z.output<typeof TransformationVersionPath>,
  ) {
    return this.rpc.send(GetTransformationVersion, { workspaceId, id, versionId });
  }
}
