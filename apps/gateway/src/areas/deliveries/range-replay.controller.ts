import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import {
  GetRangeReplay,
  invalidField,
  ListRangeReplays,
  RANGE_REPLAY_RATE,
  RANGE_REPLAY_RATE_MAX,
  RangeReplay,
  RangeReplaySelection,
  type RangeReplaySelection as Selection,
  StartRangeReplay,
  SteerRangeReplay,
} from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import { z } from 'zod';
import { Api } from '../../http/api.js';
import { bodyId, instant, pathId, wholeNumber } from '../../http/fields.js';
import { Caller, type Principal } from '../../http/principal.js';
import { InventoryLookup } from '../../inventory/inventory.lookup.js';

/** Each hour of a range is looked up, so a range without an end would keep an archiver busy for nothing. */
const RANGE_DAYS_MAX = 366;
const A_DAY_MS = 86_400_000;

const { types, events } = RangeReplaySelection.shape;

const RangeReplayBody = z
  .object({
    sourceId: bodyId,
    destinationId: bodyId.meta({ description: 'Where the events are sent. It need not be connected to the source' }),
    from: instant.meta({ description: 'Earliest time of intake, inclusive' }),
    to: instant.meta({ description: 'Latest time of intake, exclusive. Not in the future' }),
    dryRun: z.boolean().default(true).meta({ description: '`false` sends. Otherwise events are only counted' }),
    eventsPerSecond: wholeNumber(1, RANGE_REPLAY_RATE_MAX)
      .default(RANGE_REPLAY_RATE)
      .meta({ default: RANGE_REPLAY_RATE, description: 'Rate on average over some seconds' }),
    types: types.meta({ description: 'Only events of these types' }),
    events,
  })
  .meta({
    id: 'RangeReplayRequest',
    examples: [
      {
        ...{ sourceId: '2nVbmZCRoMIaUeXPrC0bTgOF3B0', destinationId: '2nVbmbnCcjPzG9hUyFVmfNgRzKd' },
        ...{ from: '2026-01-01T00:00:00Z', to: '2026-01-01T06:00:00Z', dryRun: true },
      },
    ],
  });
export type RangeReplayBody = z.output<typeof RangeReplayBody>;

const RangeReplayPath = z.object({ id: pathId('replay') });
export type RangeReplayPath = z.output<typeof RangeReplayPath>;

const RangeReplayAnswer = z.object({ replay: RangeReplay.meta({ id: 'RangeReplay' }) });
const RangeReplayList = z.object({ replays: z.array(RangeReplayAnswer.shape.replay) });

/** Throws `invalid` for a range that is empty, too long, or not over. */
function rangeOf({ from, to, ...rest }: RangeReplayBody, now = Date.now()): Selection {
  if (to <= from) throw invalidField('to', 'must be after from');
  if (to.getTime() > now) throw invalidField('to', 'must not be in the future');
  if (to.getTime() - from.getTime() > RANGE_DAYS_MAX * A_DAY_MS)
    throw invalidField('from', `must be at most ${RANGE_DAYS_MAX} days before to`);
  return { ...rest, from: from.toISOString(), to: to.toISOString() };
}

const common = { area: 'deliveries', errors: ['unavailable', 'timeout'] } as const;
const steered = {
  ...common,
  access: 'write',
  params: RangeReplayPath,
  status: 200,
  reply: RangeReplayAnswer,
  errors: ['conflict', ...common.errors],
} as const;

/** Sends accepted events of a time range again, where the operator keeps an archive. */
@Controller()
export class RangeReplayController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly inventory: InventoryLookup,
  ) {}

  @Post('/v2/deliveries/range-replays')
  @Api({
    summary: 'Replay the events that a source accepted in a time range, or count them',
    description:
      'Needs an archive, which the operator sets up. The replay runs on its own, and `GET /v2/deliveries/range-replays/{id}` tells ' +
      'how far it is. It uses the code and configuration of the destination at the time of sending, and the idempotency keys of ' +
      'the first delivery. Users who are suppressed, or were deleted since, receive nothing.',
    ...common,
    access: 'write',
    body: RangeReplayBody,
    needsBody: true,
    status: 202,
    reply: RangeReplayAnswer,
    errors: ['conflict', 'unsupported', ...common.errors],
  })
  async start(@Caller() { workspaceId, email: by }: Principal, @Body() body: RangeReplayBody) {
    const selection = rangeOf(body);
    await this.inventory.requireSources(workspaceId, 'sourceId', [body.sourceId]);
    await this.inventory.requireDestinations(workspaceId, 'destinationId', [body.destinationId]);
    return this.rpc.send(StartRangeReplay, { workspaceId, selection, by });
  }

  @Get('/v2/deliveries/range-replays')
  @Api({
    summary: 'List replays of time ranges',
    description: 'The newest 100 first. Those that ended are listed for 90 days.',
    ...common,
    access: 'read',
    reply: RangeReplayList,
  })
  list(@Caller() { workspaceId }: Principal) {
    return this.rpc.send(ListRangeReplays, { workspaceId });
  }

  @Get('/v2/deliveries/range-replays/:id')
  @Api({
    summary: 'Get a replay of a time range',
    ...common,
    access: 'read',
    params: RangeReplayPath,
    reply: RangeReplayAnswer,
  })
  get(@Caller() { workspaceId }: Principal, @Param() { id }: RangeReplayPath) {
    return this.rpc.send(GetRangeReplay, { workspaceId, id });
  }

  @Post('/v2/deliveries/range-replays/:id/pause')
  @Api({ summary: 'Pause a replay', description: 'Events that are queued already are sent.', ...steered })
  pause(@Caller() caller: Principal, @Param() { id }: RangeReplayPath) {
    return this.steer(caller, id, 'paused');
  }

  @Post('/v2/deliveries/range-replays/:id/resume')
  @Api({ summary: 'Resume a replay that is paused', ...steered })
  resume(@Caller() caller: Principal, @Param() { id }: RangeReplayPath) {
    return this.steer(caller, id, 'running');
  }

  @Post('/v2/deliveries/range-replays/:id/cancel')
  @Api({ summary: 'Cancel a replay', description: 'Events that are queued already are sent.', ...steered })
  cancel(@Caller() caller: Principal, @Param() { id }: RangeReplayPath) {
    return this.steer(caller, id, 'cancelled');
  }

  private steer({ workspaceId, email: by }: Principal, id: string, state: 'running' | 'paused' | 'cancelled') {
    return this.rpc.send(SteerRangeReplay, { workspaceId, id, state, by });
  }
}
