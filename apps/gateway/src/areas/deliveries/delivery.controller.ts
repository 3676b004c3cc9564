import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { CountDeliveries, GetDelivery, ListDeliveries, ListDeliveryHours, ReplayDeliveries } from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import { Api } from '../../http/api.js';
import { nextPage } from '../../http/lists.js';
import { Caller, type Principal } from '../../http/principal.js';
import { shownEvent } from '../../http/redaction.js';
import { InventoryLookup } from '../../inventory/inventory.lookup.js';
import {
  CountersPage,
  CountersQuery,
  DeliveriesQuery,
  DeliveryDetails,
  DeliveryHours,
  DeliveryPage,
  DeliveryPath,
  HoursQuery,
  ReplayAnswer,
  ReplayBody,
  selectionOf,
} from './delivery.schemas.js';

const common = { area: 'deliveries', errors: ['unavailable', 'timeout'] } as const;

/** Shows live delivery to users: failures and counts. Also replays dead letters. */
@Controller()
export class DeliveryController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly inventory: InventoryLookup,
  ) {}

  @Get('/v2/deliveries')
  @Api({
    summary: 'List deliveries in retry and dead letters, with attempts and reasons',
    description:
      'Lists deliveries in retry first, then dead letters, both newest first. Weir keeps dead letters for 30 days. ' +
      'Beyond the daily bytes of a workspace, they are kept without their events (`eventDropped`), then only counted.',
    ...common,
    access: 'read',
    query: DeliveriesQuery,
    reply: DeliveryPage,
  })
  async list(@Caller() { workspaceId }: Principal, @Query() { after_cursor: cursor, ...filter }: DeliveriesQuery) {
    const { deliveries, next } = await this.rpc.send(ListDeliveries, { workspaceId, cursor, ...filter });
    return { data: deliveries, paging: nextPage('/v2/deliveries', next, filter) };
  }

  @Get('/v2/deliveries/counters')
  @Api({
    summary: 'Count the outcomes of events by destination over the last hours',
    description:
      'Counts whole hours, including the current one. If a deliverer is killed, the counts of its last second are lost.',
    ...common,
    access: 'read',
    query: CountersQuery,
    reply: CountersPage,
  })
  async count(@Caller() { workspaceId }: Principal, @Query() query: CountersQuery) {
    const { destinationId, hours, after_cursor: after } = query;
    const { counters, next } = await this.rpc.send(CountDeliveries, { workspaceId, destinationId, hours, after });
    return { data: counters, paging: nextPage('/v2/deliveries/counters', next, { destinationId, hours }) };
  }

  @Get('/v2/deliveries/hours')
  @Api({
    summary: 'Count the outcomes of events hour by hour, at one destination or at all',
    description: 'Oldest first, up to the current hour. Hours without events are left out.',
    ...common,
    access: 'read',
    query: HoursQuery,
    reply: DeliveryHours,
  })
  async listHours(@Caller() { workspaceId }: Principal, @Query() query: HoursQuery) {
    return { data: (await this.rpc.send(ListDeliveryHours, { workspaceId, ...query })).hours };
  }

  @Get('/v2/deliveries/:id')
  @Api({ summary: 'Get a dead letter', ...common, access: 'read', params: DeliveryPath, reply: DeliveryDetails })
  async get(@Caller() { workspaceId, role }: Principal, @Param() { id }: DeliveryPath) {
    const { delivery, event } = await this.rpc.send(GetDelivery, { workspaceId, id });
    return { ...delivery, ...(event && shownEvent(role, event)) };
  }

  @Post('/v2/deliveries/replay')
  @Api({
    summary: 'Replay dead letters: some by id, or a time range of one destination',
    description:
      'Answers what would be sent, and sends it with `dryRun: false`. Uses the code and configuration at the time of ' +
      'sending, and the original idempotency keys. Users who were suppressed in the meantime receive nothing. ' +
      'Dead letters whose events were not kept are left out.',
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
