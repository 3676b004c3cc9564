import { Body, Delete, Get, Param, Post, Put, Query, UseInterceptors } from '@nestjs/common';
import type { ErrorCode } from '@weir/contracts';
import type { z } from 'zod';
import { Caller, type Principal } from '../../auth/principal.js';
import { Api } from '../../http/api.js';
import { EntityTagInterceptor, IfMatch, IfMatchHeader } from '../../http/entity-tag.js';
import { SUCCESS, Success, VersionsQuery } from './revision.schemas.js';

/** The HTTP form of one kind of object with revisions. */
export interface RevisionWire {
  /** Singular and plural name. */
  what: string;
  all: string;
  params: z.ZodObject<{ id: z.ZodType<string> }>;
  versionParams: z.ZodObject<{ id: z.ZodType<string>; versionId: z.ZodType<string> }>;
  writeQuery: z.ZodObject;
  createBody: z.ZodType;
  updateBody: z.ZodType;
  written: z.ZodType;
  live: z.ZodType;
  list: z.ZodType;
  revision: z.ZodType;
  versionList: z.ZodType;
  /** Notes for callers on update and delete. */
  updateNote: string;
  deleteNote: string;
  deleteErrors: readonly ErrorCode[];
}

/** Implements the routes: reads and changes the object and its revisions. */
export interface RevisionService<W extends RevisionWire> {
  create(
    caller: Principal,
    body: z.output<W['createBody']>,
    query: z.output<W['writeQuery']>,
  ): Promise<z.input<W['written']>>;
  /** `ifMatch`: one of these tags must be the current one. */
  update(
    caller: Principal,
    id: string,
    body: z.output<W['updateBody']>,
    query: z.output<W['writeQuery']>,
    ifMatch: string[] | undefined,
  ): Promise<z.input<W['written']>>;
  list(caller: Principal): Promise<z.input<W['list']>>;
  get(caller: Principal, id: string): Promise<z.input<W['live']>>;
  delete(caller: Principal, id: string, ifMatch: string[] | undefined): Promise<unknown>;
  versions(caller: Principal, id: string, query: VersionsQuery): Promise<z.input<W['versionList']>>;
  version(caller: Principal, id: string, versionId: string): Promise<z.input<W['revision']>>;
}

const unreachable = ['unavailable', 'timeout'] as const;
const reading = { area: 'transformations', access: 'read', errors: unreachable } as const;
const changing = { area: 'transformations', access: 'write' } as const;
const writing = ['tests_failed', 'conflict', 'too_large', ...unreachable] as const;

/** Routes that transformations and libraries share (spec 4.1). Returns the base class of both controllers. */
export function revisionRoutes<W extends RevisionWire>(wire: W) {
  const { what, all, params, versionParams, writeQuery } = wire;
  const updating = {
    summary: `Make a new revision; with publish=true it becomes the live one. ${wire.updateNote}`,
    ...{ ...changing, params, query: writeQuery, headers: IfMatchHeader },
    body: wire.updateBody,
    reply: wire.written as W['written'],
    errors: ['precondition_failed', ...writing],
  } as const;
  type Path = { id: string };
  type WriteQuery = z.output<W['writeQuery']>;
  type UpdateBody = z.output<W['updateBody']>;

  @UseInterceptors(EntityTagInterceptor)
  abstract class RevisionRoutes {
    abstract readonly service: RevisionService<W>;

    @Post()
    @Api({
      summary: `Create a ${what}, as a revision or published`,
      ...{ ...changing, query: writeQuery },
      body: wire.createBody,
      reply: wire.written as W['written'],
      errors: writing,
    })
    create(@Caller() caller: Principal, @Query() query: WriteQuery, @Body() body: z.output<W['createBody']>) {
      return this.service.create(caller, body, query);
    }

    @Get()
    @Api({ summary: `List the published ${all}`, ...reading, reply: wire.list as W['list'] })
    list(@Caller() caller: Principal) {
      return this.service.list(caller);
    }

    @Get(':id')
    @Api({ summary: `One published ${what}`, ...reading, params, reply: wire.live as W['live'] })
    get(@Caller() caller: Principal, @Param() { id }: Path) {
      return this.service.get(caller, id);
    }

    @Post(':id')
    @Api(updating)
    update(
      @Caller() caller: Principal,
      @Param() { id }: Path,
      @Query() query: WriteQuery,
      @Body() body: UpdateBody,
      @IfMatch() ifMatch: string[] | undefined,
    ) {
      return this.service.update(caller, id, body, query, ifMatch);
    }

    @Put(':id')
    @Api({ ...updating, description: 'The same as POST, for clients that update so.' })
    replace(
      @Caller() caller: Principal,
      @Param() path: Path,
      @Query() query: WriteQuery,
      @Body() body: UpdateBody,
      @IfMatch() ifMatch: string[] | undefined,
    ) {
      return this.update(caller, path, query, body, ifMatch);
    }

    @Delete(':id')
    @Api({
      summary: `Delete the published ${what}${wire.deleteNote}; its revisions stay`,
      ...{ ...changing, params, headers: IfMatchHeader, reply: Success },
      errors: ['precondition_failed', ...wire.deleteErrors, ...unreachable],
    })
    async delete(@Caller() caller: Principal, @Param() { id }: Path, @IfMatch() ifMatch: string[] | undefined) {
      await this.service.delete(caller, id, ifMatch);
      return SUCCESS;
    }

    @Get(':id/versions')
    @Api({
      summary: `List revisions of a ${what}`,
      ...{ ...reading, params, query: VersionsQuery },
      reply: wire.versionList as W['versionList'],
    })
    versions(@Caller() caller: Principal, @Param() { id }: Path, @Query() query: VersionsQuery) {
      return this.service.versions(caller, id, query);
    }

    @Get(':id/versions/:versionId')
    @Api({
      summary: `One revision of a ${what}`,
      ...{ ...reading, params: versionParams, reply: wire.revision as W['revision'] },
    })
    version(@Caller() caller: Principal, @Param() { id, versionId }: Path & { versionId: string }) {
      return this.service.version(caller, id, versionId);
    }
  }
  return RevisionRoutes;
}
