import type { WeirError } from './error.js';
import type { paths } from './generated/api.js';
import { pause } from './retries.js';
import type { Call } from './types.js';

/** Which live events to watch. Without any field: those of the whole workspace. */
export type LiveFilter = NonNullable<paths['/v2/live-events']['get']['parameters']['query']>;

/** An event that the intake accepted. */
export interface AcceptedEvent {
  at: string;
  sourceId: string;
  messageId?: string;
  type?: string;
  name?: string;
  /** The event itself, for tokens that may see personal data. */
  event?: Record<string, unknown>;
}

/** The outcome of one event at one destination. */
export interface DeliveryOutcome {
  at: string;
  sourceId: string;
  destinationId: string;
  outcome: 'delivered' | 'failed' | 'dead' | 'dropped_by_code' | 'filtered';
  messageId?: string;
  type?: string;
  name?: string;
  attempts?: number;
  responseStatus?: number;
  reason?: string;
}

/** How many events of a source regulations have stopped since the last one. Nothing of these events is shown. */
export interface SuppressedCount {
  at: string;
  sourceId: string;
  events: number;
}

/**
 * One live event. `skipped` says how many events at least were left out, because a view shows at most 50 a second. `end` says that the
 * connection is over: after an hour, or because the server stopped. Events may be missing between `end` and the next one.
 */
export type LiveEvent =
  | { event: 'accepted'; data: AcceptedEvent }
  | { event: 'delivery'; data: DeliveryOutcome }
  | { event: 'suppressed'; data: SuppressedCount }
  | { event: 'skipped'; data: { events: number } }
  | { event: 'end'; data: Record<string, never> };

/** How to watch live events. */
export interface LiveOptions extends LiveFilter {
  /** Ends the loop when it is aborted. */
  signal?: AbortSignal | undefined;
  /** Whether to connect again after `end`. Default: true. */
  reconnect?: boolean | undefined;
  /** Called when the server has begun to show events. */
  onOpen?: (() => void) | undefined;
}

/** Wait before a broken view connects again. */
const RECONNECT_MS = 1_000;

/** Watches until the caller leaves the loop. The first connection has to succeed. Later ones wait for the server. */
export async function* watch(
  get: Call<'get'>,
  { signal, reconnect = true, onOpen, ...query }: LiveOptions = {},
): AsyncGenerator<LiveEvent, void, undefined> {
  const init = { params: { query }, parseAs: 'stream', ...(signal && { signal }) } as const;
  for (let isFirst = true; !signal?.aborted; isFirst = false) {
    const { data, error } = await get('/v2/live-events', init);
    if (error && (isFirst || isFinal(error))) throw error;
    if (data) {
      onOpen?.();
      yield* shown(data);
      yield { event: 'end', data: {} };
    }
    if (!reconnect) return;
    await pause(RECONNECT_MS, signal).catch(() => undefined);
  }
}

/** Live events until the server says `end` or the connection breaks. */
async function* shown(body: ReadableStream<Uint8Array>): AsyncGenerator<LiveEvent, void, undefined> {
  try {
    for await (const { event, data } of serverSentEvents(body)) {
      if (event === 'end') return;
      yield { event, data: JSON.parse(data) } as LiveEvent;
    }
  } catch {
    // broken or aborted: either way this connection is over
  }
}

/** A refusal that another attempt gets again, such as a token without this right. */
const isFinal = ({ status }: WeirError) => status >= 400 && status < 500 && status !== 429;

/** One event of a stream of server-sent events. */
interface ServerSentEvent {
  event: string;
  data: string;
}

/**
 * Reads server-sent events (HTML standard, 9.2.6). Comments and `id` are left out, because live events have no positions to go
 * on from. Leaving the loop closes the connection.
 */
async function* serverSentEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split('\n\n');
      rest = lines.pop() ?? '';
      for (const block of lines) {
        const event = eventOf(block);
        if (event) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function eventOf(block: string): ServerSentEvent | undefined {
  const valuesOf = (field: string) =>
    block
      .split('\n')
      .filter((line) => line.startsWith(`${field}:`))
      .map((line) => line.slice(field.length + 1).trim());
  const data = valuesOf('data');
  return data.length > 0 ? { event: valuesOf('event').at(-1) ?? 'message', data: data.join('\n') } : undefined;
}
