import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import { type NatsContext, type Serializer, ServerNats } from '@nestjs/microservices';
import { context, trace } from '@opentelemetry/api';
import { AppError, isErrorBody, PAYLOAD_BYTES_MAX } from '@weir/contracts';
import { endCallSpan, openCallSpan } from './answer-call.js';
import type { CallObserver, CallOutcome } from './call-observer.js';
import { during } from './during.js';
import { newRequestId, REQUEST_ID_HEADER, requestContext } from './request-context.js';

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
