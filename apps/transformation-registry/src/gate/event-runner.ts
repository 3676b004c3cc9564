import { Injectable } from '@nestjs/common';
import {
  AppError,
  type CodeBundle,
  type CodeReach,
  CodeRuntime,
  chunksOf,
  EVENT_BYTES_MAX,
  type EventResult,
  type FetchCall,
  isAppError,
  type JsonObject,
  MESSAGE_TYPES,
  type MessageType,
  PAYLOAD_BYTES_MAX,
  RunCode,
  type UserError,
  usesCredentials,
} from '@weir/contracts';
import { type Deadline, SandboxClient } from './sandbox.client.js';

/** Bytes reserved for names and envelope of one call, in addition to its code and events. */
const CALL_BYTES = 8_192;

type Input = { message: JsonObject; metadata: JsonObject };

/** Result of running the events of one test. */
export interface EventRun {
  /** In the order of the events. */
  results: EventResult[];
  /** Errors of elements that `transformBatch` returned and that belong to no event. */
  strayErrors: UserError[];
  logs: string[];
  /** `fetch` calls of the code. */
  fetches: FetchCall[];
  durationMs: number;
  /** Of the code, unless it did not load. */
  runtime?: CodeRuntime | undefined;
}

/** Settings that all runs of one release share. */
export interface RunContext {
  workspaceId: string;
  deadline: Deadline;
  reach: CodeReach;
}

/** Runs code over any number of events, in one batch if messages allow it and otherwise in chunks. */
@Injectable()
export class EventRunner {
  constructor(private readonly sandbox: SandboxClient) {}

  async run(context: RunContext, bundle: CodeBundle, events: readonly JsonObject[]): Promise<EventRun> {
    checkSizes(events);
    const { credentials = [], ...reach } = context.reach;
    const run = { ...context, reach: { ...reach, credentials: usesCredentials(bundle) ? credentials : [] } };
    const bytesMax = PAYLOAD_BYTES_MAX - CALL_BYTES - Buffer.byteLength(JSON.stringify([bundle, run.reach]));
    const inputs = events.map((message) => ({ message, metadata: testMetadata(run.workspaceId, message) }));
    const runs: EventRun[] = [];
    for (const chunk of chunksOf(inputs, { bytesMax })) runs.push(await this.runChunk(run, bundle, chunk));
    return joined(runs);
  }

  /** The sandbox refuses results that do not fit one reply. In that case, runs each half separately. */
  private async runChunk(context: RunContext, bundle: CodeBundle, events: Input[]): Promise<EventRun> {
    const { workspaceId, deadline, reach } = context;
    const startedAt = performance.now();
    try {
      const request = { workspaceId, bundle, events, mode: 'test' as const, ...reach };
      const {
        results,
        logs,
        strayErrors = [],
        fetches = [],
        ...told
      } = await this.sandbox.send(RunCode, request, deadline);
      const runtime = CodeRuntime.safeParse(told).data;
      return { results, strayErrors, logs, fetches, durationMs: performance.now() - startedAt, runtime };
    } catch (error) {
      if (!isAppError(error) || error.code !== 'too_large' || events.length === 1) throw error;
      const half = Math.ceil(events.length / 2);
      const first = await this.runChunk(context, bundle, events.slice(0, half));
      return joined([first, await this.runChunk(context, bundle, events.slice(half))]);
    }
  }
}

const joined = (runs: readonly EventRun[]): EventRun => ({
  results: runs.flatMap(({ results }) => results),
  strayErrors: runs.flatMap(({ strayErrors }) => strayErrors),
  logs: runs.flatMap(({ logs }) => logs),
  fetches: runs.flatMap(({ fetches }) => fetches),
  durationMs: runs.reduce((sum, { durationMs }) => sum + durationMs, 0),
  runtime: runs.find(({ runtime }) => runtime !== undefined)?.runtime,
});

/** Throws `too_large` for an event that no source could have sent. */
function checkSizes(events: readonly JsonObject[]): void {
  const index = events.findIndex((event) => Buffer.byteLength(JSON.stringify(event)) > EVENT_BYTES_MAX);
  if (index === -1) return;
  throw new AppError('too_large', `test event ${index} is larger than ${EVENT_BYTES_MAX} bytes: shorten it`);
}

const SENT_AT = '2026-01-01T00:00:00.000Z';

const FIELDS: Record<MessageType, JsonObject> = {
  identify: { traits: { name: 'Ada Example', email: 'ada@example.com', plan: 'free' } },
  track: { event: 'Order Completed', properties: { orderId: 'order-1', revenue: 12.5, currency: 'EUR', products: [] } },
  page: { name: 'Home', properties: { title: 'Home', url: 'https://example.com/', path: '/', referrer: '' } },
  screen: { name: 'Main', properties: { title: 'Main' } },
  group: { groupId: 'group-1', traits: { name: 'Example Ltd', employees: 20 } },
  alias: { previousId: 'user-0' },
};

/** Default test events: one of each type, with the fields that every real event has. */
export const DEFAULT_EVENTS: readonly JsonObject[] = MESSAGE_TYPES.map((type) => ({
  type,
  messageId: `test-${type}`,
  userId: 'user-1',
  anonymousId: 'anonymous-1',
  channel: 'server',
  context: { library: { name: 'weir-test', version: '1.0.0' }, ip: '192.0.2.1', locale: 'en-GB', traits: {} },
  integrations: { All: true },
  originalTimestamp: SENT_AT,
  sentAt: SENT_AT,
  receivedAt: SENT_AT,
  timestamp: SENT_AT,
  ...FIELDS[type],
}));

/** The result of `metadata(event)` in a test. It has the same names as live metadata, so that code that reads them runs. */
export const testMetadata = (workspaceId: string, event: JsonObject): JsonObject => ({
  workspaceId,
  sourceId: 'test-source',
  sourceName: 'Test source',
  sourceType: 'HTTP',
  sourceCategory: '',
  destinationId: 'test-destination',
  destinationName: 'Test destination',
  destinationType: 'WEBHOOK',
  ...(typeof event['messageId'] === 'string' && { messageId: event['messageId'] }),
});
