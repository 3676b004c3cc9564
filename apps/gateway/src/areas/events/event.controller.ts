import { Controller, Get, Param, Query } from '@nestjs/common';
import { AppError, GetTrace, isAppError, ListTraces, TRACES_KEPT_DAYS } from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import { Api } from '../../http/api.js';
import { nextPage } from '../../http/lists.js';
import { Caller, type Principal } from '../../http/principal.js';
import { EventPath, EventsPage, EventsQuery, EventTraceAnswer } from './event.schemas.js';
import { shownTrace } from './shown-trace.js';

const common = { area: 'deliveries', access: 'read', errors: ['unavailable', 'timeout'] } as const;

/** Why an event that exists may have no trace. */
const UNKNOWN =
  `Nothing is kept of an event with this message id. It never arrived, is older than ${TRACES_KEPT_DAYS} days, ` +
  'arrived less than a second ago, was deleted with its user, or its source sent more than is traced';

/** Where is my event? */
@Controller()
export class EventController {
  constructor(private readonly rpc: RpcClient) {}

  @Get('/v2/events')
  @Api({
    summary: 'List what happened to the events of a user, newest first',
    description:
      `Shows traced events of the last ${TRACES_KEPT_DAYS} days. A busy source is sampled: \`sampling.share\` says ` +
      'which share of its events was traced. Steps appear within about a second.',
    ...common,
    query: EventsQuery,
    reply: EventsPage,
  })
  async list(@Caller() { workspaceId, role }: Principal, @Query() { userId, after_cursor: cursor }: EventsQuery) {
    const { traces, next } = await this.rpc.send(ListTraces, { workspaceId, userId, cursor });
    return {
      data: traces.map((trace) => shownTrace(role, trace)),
      paging: nextPage('/v2/events', next, { userId }),
    };
  }

  @Get('/v2/events/:messageId')
  @Api({
    summary: 'Show what happened to an event: from intake through code and attempts to its end at each destination',
    description:
      'Tells of a suppressed event that it was stopped, and nothing of its user. A dead letter has ' +
      '`replay`, the request that sends it again, while it is kept. `notKept` lists what nobody knows any more.',
    ...common,
    params: EventPath,
    reply: EventTraceAnswer,
  })
  async get(@Caller() { workspaceId, role }: Principal, @Param() { messageId }: EventPath) {
    const { trace } = await this.rpc.send(GetTrace, { workspaceId, messageId }).catch((error: unknown) => {
      throw isAppError(error) && error.code === 'not_found' ? new AppError('not_found', UNKNOWN) : error;
    });
    return shownTrace(role, trace);
  }
}
