import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import { type NatsContext, type Serializer, ServerNats } from '@nestjs/microservices';
import { type Context, context, type Span, SpanKind, trace } from '@opentelemetry/api';
import { AppError, type ErrorCode, isErrorBody, PAYLOAD_BYTES_MAX } from '@weir/contracts';
import { flushed } from './connection.js';
import { during } from './event-loop.js';
import { failSpan, newRequestId, openSpan, REQUEST_ID_HEADER, requestContext, traceOf } from './tracing.js';

export type CallOutcome = ErrorCode | 'ok';

/** Receives every call by subject, for metrics. The number of subjects and codes is small, and they contain no personal data. */
export interface CallObserver {
  /** This process has answered a call. */
  answered(subject: string, outcome: CallOutcome, seconds: number): void;
  /** This process has received an answer or an error. */
  asked(subject: string, outcome: CallOutcome): void;
}

/** Inject token of the process's {@link CallObserver}. */
export const CALL_OBSERVER = Symbol('CALL_OBSERVER');

/** How long running requests may take to finish when the process stops. */
const DRAIN_MS = 8_000;

interface Packet {
  id?: string;
  err?: unknown;
  isDisposed?: boolean;
}

/**
 * Nest's NATS server on the connection of the process. Adds the request id, the trace and metrics. Refuses answers that exceed
 * one message, and finishes running requests before it stops.
 */
export class RpcServer extends ServerNats {
  private inFlight = 0;
  private readonly bound: Subscription[] = [];

  constructor(
    private readonly connection: () => NatsConnection,
    private readonly queue: string,
    private readonly observer: () => Pick<CallObserver, 'answered'> | undefined = () => undefined,
  ) {
    super({ queue, serializer: new BoundedSerializer() });
  }

  override async createNatsClient(): Promise<NatsConnection> {
    return this.connection();
  }

  /** A caller that was told that the service is there must reach it, so the broker has to know the subscriptions first. */
  override start(callback: (error?: unknown) => void): void {
    const client = this.connection();
    this.bindEvents(client);
    // without the broker, the connection sends them again once it is back
    void flushed(client).then(
      () => callback(),
      () => callback(),
    );
  }

  override bindEvents(client: NatsConnection): void {
    for (const subject of this.messageHandlers.keys()) {
      const callback = this.getMessageHandler(subject).bind(this);
      this.bound.push(client.subscribe(subject, { queue: this.queue, callback }));
    }
  }

  override async handleMessage(channel: string, message: Msg): Promise<unknown> {
    const requestId = message.headers?.get(REQUEST_ID_HEADER) || newRequestId();
    const { span, within } = openCallSpan(channel, message);
    const handle = () =>
      requestContext.run({ requestId }, () => during(`read:${channel}`, () => super.handleMessage(channel, message)));
    return context.with(within, handle).catch((error: unknown) => {
      span?.end();
      throw error;
    });
  }

  override getPublisher(message: Msg, id: string, natsContext: NatsContext): (response: Packet) => unknown {
    const publish = super.getPublisher(message, id, natsContext);
    const startedAt = performance.now();
    const span = trace.getActiveSpan();
    this.inFlight += 1;
    return (response) => {
      if (response.isDisposed || response.err) {
        this.inFlight -= 1;
        const outcome = outcomeOf(response);
        this.observer()?.answered(message.subject, outcome, (performance.now() - startedAt) / 1_000);
        endCallSpan(span, outcome);
      }
      return during(`answer:${message.subject}`, () => publish(response));
    };
  }

  /** Takes no more requests and finishes the running ones. Leaves the connection open, because the process owns it. */
  override async close(): Promise<void> {
    await Promise.allSettled(this.bound.map((subscription) => subscription.drain()));
    const end = Date.now() + DRAIN_MS;
    while (this.inFlight > 0 && Date.now() < end) await new Promise((done) => setTimeout(done, 20));
  }
}

function outcomeOf({ err }: Packet): CallOutcome {
  if (isErrorBody(err)) return err.code;
  return err === undefined || err === null ? 'ok' : 'internal';
}

class BoundedSerializer implements Serializer<Packet, { data: string }> {
  serialize(packet: Packet): { data: string } {
    const data = JSON.stringify(packet);
    if (Buffer.byteLength(data) <= PAYLOAD_BYTES_MAX) return { data };
    const err = new AppError('too_large', 'The answer does not fit one message').toBody();
    return { data: JSON.stringify({ id: packet.id, err, isDisposed: true }) };
  }
}

/**
 * For services that answer calls without Nest's transport. `work` sends the answer and returns the outcome. It must not reject.
 */
export async function answerCall(
  subject: string,
  message: Msg,
  work: () => Promise<CallOutcome>,
  observer?: Pick<CallObserver, 'answered'>,
): Promise<void> {
  const requestId = message.headers?.get(REQUEST_ID_HEADER) || newRequestId();
  const { span, within } = openCallSpan(subject, message);
  const startedAt = performance.now();
  const outcome = await context.with(within, () => requestContext.run({ requestId }, work));
  observer?.answered(subject, outcome, (performance.now() - startedAt) / 1_000);
  endCallSpan(span, outcome);
}

/** Opens the span for answering a call, if the caller sent a trace. `within` is the context in which to do the work. */
export function openCallSpan(subject: string, { headers }: Pick<Msg, 'headers'>): { within: Context; span?: Span } {
  const attributes = { 'rpc.system': 'nats', 'rpc.method': subject };
  const parent = traceOf(headers);
  if (!trace.getSpan(parent)) return { within: parent };
  return openSpan(subject, { kind: SpanKind.SERVER, attributes, parent });
}

export function endCallSpan(span: Span | undefined, outcome: CallOutcome): void {
  if (span && outcome !== 'ok') failSpan(span, outcome);
  span?.end();
}
