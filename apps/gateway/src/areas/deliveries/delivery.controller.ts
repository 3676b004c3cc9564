import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { CountDeliveries, GetDelivery, ListDeliveries, ReplayDeliveries } from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import { Caller, type Principal } from '../../auth/principal.js';
import { seesSecrets } from '../../auth/roles.js';
import { Api } from '../../http/api.js';
import { InventoryLookup } from '../../inventory/inventory.lookup.js';
import { nextPage } from '../next-page.js';
import {
  CountersPage,
  CountersQuery,
  DeliveriesQuery,
  DeliveryDetails,
  DeliveryPage,
  DeliveryPath,
  ReplayAnswer,
  ReplayBody,
  selectionOf,
} from './delivery.schemas.js';
import { redacted } from './redacted.js';

const common = { area: 'deliveries', errors: ['unavailable', 'timeout'] } as const;
const PATH = 'v2/deliveries';

/** Shows live delivery to users: failures and counts. Also replays dead letters. */
@Controller(PATH)
export class DeliveryController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly inventory: InventoryLookup,
  ) {}

  @Get()
  @Api({
    summary: 'List deliveries that are tried again and dead letters, with attempts and reasons',
    description: 'What is tried again first, then dead letters, both newest first. Dead letters are kept for 30 days.',
    ...common,
    access: 'read',
    query: DeliveriesQuery,
    reply: DeliveryPage,
  })
  async list(@Caller() { workspaceId }: Principal, @Query() { after_cursor: cursor, ...filter }: DeliveriesQuery) {
    const { deliveries, next } = await this.rpc.send(ListDeliveries, { workspaceId, cursor, ...filter });
    return { data: deliveries, paging: nextPage(PATH, next, filter) };
  }

  @Get('counters')
  @Api({
    summary: 'Count what became of the events of each destination over the last hours',
    description:
      'Whole hours, the one that has begun included. A deliverer that is killed takes its last second with it.',
    ...common,
    access: 'read',
    query: CountersQuery,
    reply: CountersPage,
  })
  async count(@Caller() { workspaceId }: Principal, @Query() query: CountersQuery) {
    const { destinationId, hours, after_cursor: after } = query;
    const { counters, next } = await this.rpc.send(CountDeliveries, { workspaceId, destinationId, hours, after });
    return { data: counters, paging: nextPage(`${PATH}/counters`, next, { destinationId, hours: String(hours) }) };
  }

  @Get(':id')
  @Api({ summary: 'One dead letter', ...common, access: 'read', params: DeliveryPath, reply: DeliveryDetails })
  async get(@Caller() { workspaceId, role }: Principal, @Param() { id }: DeliveryPath) {
    const { delivery, event } = await this.rpc.send(GetDelivery, { workspaceId, id });
    return { ...delivery, ...(seesSecrets(role) && { event: redacted(event) }) };
  }

  @Post('replay')
  @Api({
    summary: 'Send dead letters again, one, some, or a range of one destination',
    description:
      'Answers what would be sent; with `dryRun: false` it is. Code and configuration of that moment apply, the ' +
      'idempotency keys stay what they were, and users who are suppressed meanwhile get nothing.',
    ...common,
    access: 'write',
    body: ReplayBody,
    needsBody: true,
    reply: ReplayAnswer,
  })
  async replay(@Caller() { workspaceId }: Principal, @Body() body: ReplayBody) {
    const { dryRun, destinationId } = body;
    const selection = selectionOf(body);
    if (destinationId) await this.inventory.requireDestinations(workspaceId, 'destinationId', [destinationId]);
    return { dryRun, ...(await this.rpc.send(ReplayDeliveries, { workspaceId, dryRun, selection })) };
  }
}
