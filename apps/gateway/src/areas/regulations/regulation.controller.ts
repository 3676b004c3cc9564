import { Body, Controller, Delete, Get, Headers, Param, Post, Query, Res } from '@nestjs/common';
import { z } from 'zod';
import { Caller, type Principal } from '../../auth/principal.js';
import { Api } from '../../http/api.js';
import type { Reply } from '../../http/request.js';
import { budgetHeaders } from './budget-headers.js';
import { IdempotencyKeyHeader, idempotencyClaim } from './idempotency-key.js';
import {
  CreatedRegulations,
  CreateRegulationBody,
  CreateRegulationQuery,
  Receipt,
  RegulationDetails,
  RegulationPage,
  RegulationPath,
  RegulationsQuery,
} from './regulation.schemas.js';
import { RegulationService } from './regulation.service.js';

const area = 'regulations';
const params = RegulationPath;
const errors = ['unavailable', 'timeout'] as const;

/** Area B: data regulation (spec 4.2). */
@Controller('v2/regulations')
export class RegulationController {
  constructor(private readonly regulations: RegulationService) {}

  @Post()
  @Api({
    summary: 'Suppress users, or suppress them and delete what destinations have of them',
    description:
      'Makes one record per user. In force for every event whose intake begins after the answer. Each user costs a ' +
      'suppression token, and a deletion token per destination; `RateLimit-*` headers say what is left of the hour. ' +
      'With an `Idempotency-Key` header a repeated request is answered with what the first one made, for 24 hours; ' +
      'with `dryRun=true` nothing is stored, and the answer (200) is what it would cost and do.',
    area,
    access: 'write',
    query: CreateRegulationQuery,
    headers: IdempotencyKeyHeader,
    body: CreateRegulationBody,
    reply: CreatedRegulations,
    status: 201,
    otherStatus: 200,
    errors: ['too_large', 'rate_limited', 'conflict', ...errors],
  })
  async create(
    @Caller() caller: Principal,
    @Query() { dryRun }: CreateRegulationQuery,
    @Body() body: CreateRegulationBody,
    @Headers('idempotency-key') key: string | undefined,
    @Res({ passthrough: true }) reply: Reply,
  ) {
    const claim = idempotencyClaim(key, body);
    if (dryRun) {
      const plan = await this.regulations.plan(caller, body);
      void reply.status(200).headers(budgetHeaders(plan.budgets));
      return plan;
    }
    const { records, budgets, replayed } = await this.regulations.create(caller, body, claim);
    void reply.headers({ ...budgetHeaders(budgets), ...(replayed && { 'idempotent-replayed': 'true' }) });
    return records;
  }

  @Get()
  @Api({
    summary: 'List regulations, oldest first',
    description: 'All filters that are given have to hold; a page without `paging.next` is the last.',
    area,
    access: 'read',
    query: RegulationsQuery,
    reply: RegulationPage,
    errors,
  })
  list(@Caller() { workspaceId }: Principal, @Query() query: RegulationsQuery) {
    return this.regulations.list(workspaceId, query);
  }

  @Get(':id')
  @Api({
    summary: 'One regulation, and how far its deletions are',
    area,
    access: 'read',
    params,
    reply: RegulationDetails,
    errors,
  })
  get(@Caller() { workspaceId }: Principal, @Param() { id }: RegulationPath) {
    return this.regulations.get(workspaceId, id);
  }

  @Get(':id/receipt')
  @Api({
    summary: 'Signed proof that the deletion of a regulation is complete',
    description:
      'What was deleted where and when, without any identifier, and the entry of the audit trail that it leads to. ' +
      'Ed25519 over the canonical JSON (RFC 8785) of `receipt`; the keys are at `/v2/receipt-keys`. 409 until then.',
    area,
    access: 'read',
    params,
    reply: Receipt,
    errors: ['conflict', 'unsupported', ...errors],
  })
  receipt(@Caller() { workspaceId }: Principal, @Param() { id }: RegulationPath) {
    return this.regulations.receipt(workspaceId, id);
  }

  @Delete(':id')
  @Api({
    summary: 'Cancel a regulation; the record stays in the list',
    description: 'Events that were dropped stay lost, and nothing that was deleted is restored.',
    area,
    access: 'write',
    params,
    reply: z.void(),
    status: 204,
    errors,
  })
  cancel(@Caller() caller: Principal, @Param() { id }: RegulationPath) {
    return this.regulations.cancel(caller, id);
  }
}
