import { Body, Controller, Delete, Get, Headers, Param, Post, Query, Res } from '@nestjs/common';
import { z } from 'zod';
import { Api } from '../../http/api.js';
import { Caller, type Principal } from '../../http/principal.js';
import type { Reply } from '../../http/request.js';
import { budgetHeaders, IdempotencyKeyHeader, idempotencyClaim, warningHeaders } from './regulation.headers.js';
import {
  CreatedRegulations,
  CreateRegulationBody,
  CreateRegulationQuery,
  Receipt,
  ReceiptKeys,
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
@Controller()
export class RegulationController {
  constructor(private readonly regulations: RegulationService) {}

  @Post('/v2/regulations')
  @Api({
    summary: 'Suppress users, and on request delete their data at destinations',
    description:
      'Creates one regulation per user. It applies to every event whose intake begins after the answer. Each user costs one ' +
      'suppression unit per source in `sourceIds` (one without them), plus one deletion unit per destination. `RateLimit-*` headers show what is left of the hour. A ' +
      'repeated request with the same `Idempotency-Key` gets the first answer again, for 24 hours. With `dryRun=true`, Weir ' +
      'stores nothing and answers (200) with the cost and the effect. `Deletion-Warning` names destinations that cannot delete as ' +
      'they are configured, and what to set.',
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
    const { records, budgets, undeletable, replayed } = await this.regulations.create(caller, body, claim);
    const headers = { ...budgetHeaders(budgets), ...warningHeaders(undeletable) };
    void reply.headers({ ...headers, ...(replayed && { 'idempotent-replayed': 'true' }) });
    return records;
  }

  @Get('/v2/regulations')
  @Api({
    summary: 'List regulations, oldest first unless `order=desc`',
    description: 'All given filters must match. The last page has no `paging.next`.',
    area,
    access: 'read',
    query: RegulationsQuery,
    reply: RegulationPage,
    errors,
  })
  list(@Caller() { workspaceId }: Principal, @Query() query: RegulationsQuery) {
    return this.regulations.list(workspaceId, query);
  }

  @Get('/v2/regulations/:id')
  @Api({
    summary: 'Get a regulation and the state of its deletions',
    area,
    access: 'read',
    params,
    reply: RegulationDetails,
    errors,
  })
  get(@Caller() { workspaceId }: Principal, @Param() { id }: RegulationPath) {
    return this.regulations.get(workspaceId, id);
  }

  @Get('/v2/regulations/:id/receipt')
  @Api({
    summary: 'Get the signed proof that a deletion is complete',
    description:
      'Says what was deleted where and when, without any identifier, and names the last entry of its audit trail. The ' +
      'signature is Ed25519 over the canonical JSON (RFC 8785) of `receipt`. `/v2/receipt-keys` has the keys. The answer is ' +
      '409 until the deletion is complete.',
    area,
    access: 'read',
    params,
    reply: Receipt,
    errors: ['conflict', 'unsupported', ...errors],
  })
  receipt(@Caller() { workspaceId }: Principal, @Param() { id }: RegulationPath) {
    return this.regulations.receipt(workspaceId, id);
  }

  @Delete('/v2/regulations/:id')
  @Api({
    summary: 'Cancel a regulation. It stays in the list',
    description: 'Does not restore dropped events or deleted data.',
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

/** Public, because anybody who sees a receipt must be able to verify it. */
@Controller()
export class ReceiptKeyController {
  constructor(private readonly regulations: RegulationService) {}

  @Get('/v2/receipt-keys')
  @Api({
    summary: 'List the public keys that verify receipts of deletions',
    description: 'JSON Web Keys (RFC 8037). The first key signs new receipts. The others signed earlier ones.',
    area: 'public',
    access: 'none',
    reply: ReceiptKeys,
    errors: ['unavailable', 'timeout'],
  })
  list() {
    return this.regulations.receiptKeys();
  }
}
