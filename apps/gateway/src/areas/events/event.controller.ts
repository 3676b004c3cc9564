import { Controller, Get, Param, Query } from '@nestjs/common';
import {
  AppError,
  EventTrace,
  GetTrace,
  isAppError,
  ListTraces,
  MASK,
  type Role,
  Text,
  TRACES_KEPT_DAYS,
  type TraceChange,
  type TraceStep,
} from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import { isSecretName } from '@weir/settings';
import { z } from 'zod';
import { Api } from '../../http/api.js';
import { pageCursor } from '../../http/fields.js';
import { CursorPaging, nextPage } from '../../http/lists.js';
import { Caller, type Principal, seesEvents } from '../../http/principal.js';
import { redactedValue } from '../../http/redaction.js';

const EventPath = z.object({
  messageId: Text.min(1, 'event not found').meta({ description: 'The `messageId` of the event' }),
});
export type EventPath = z.output<typeof EventPath>;

const EventsQuery = z.object({
  userId: Text.min(1).meta({ description: 'The `userId` of the events. Those of suppressed users are not found' }),
  after_cursor: pageCursor(Text.max(64)),
});
export type EventsQuery = z.output<typeof EventsQuery>;

const EventTraceAnswer = EventTrace.meta({ id: 'EventTrace' });
const EventsPage = z.object({ data: z.array(EventTraceAnswer), paging: CursorPaging });

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

/** The trace as a role may see it. Only admin tokens see contents, with likely secrets masked. */
export const shownTrace = (role: Role, trace: EventTrace): EventTrace => ({
  ...trace,
  destinations: trace.destinations.map((destination) => ({
    ...destination,
    steps: destination.steps.map((step) => shownStep(role, step)),
  })),
});

function shownStep(role: Role, { payloads, code, ...step }: TraceStep): TraceStep {
  const isAdmin = seesEvents(role);
  const changes = code?.changes?.map((change) => (isAdmin ? redactedChange(change) : withoutValues(change)));
  return {
    ...step,
    ...(code && { code: { ...code, ...(changes && { changes }) } }),
    ...(isAdmin && payloads && { payloads: payloads.map(redactedValue) }),
  };
}

const withoutValues = ({ op, path }: TraceChange): TraceChange => ({ op, path });

function redactedChange({ op, path, ...values }: TraceChange): TraceChange {
  const isSecret = isSecretName(path.slice(path.lastIndexOf('/') + 1));
  const shown = Object.entries(values).map(([key, value]) => [key, isSecret ? MASK : redactedValue(value)]);
  return { op, path, ...Object.fromEntries(shown) };
}
