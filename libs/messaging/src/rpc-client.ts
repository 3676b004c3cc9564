import { headers, type NatsConnection, NoRespondersError, TimeoutError } from '@nats-io/transport-node';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { SpanKind } from '@opentelemetry/api';
import {
  AppError,
  type Call,
  isAppError,
  isErrorBody,
  PAYLOAD_BYTES_MAX,
  type ReplyOf,
  type RequestInputOf,
} from '@weir/contracts';
import { NATS } from './connection.js';
import { during } from './event-loop.js';
import { CALL_OBSERVER, type CallObserver } from './rpc-server.js';
import { carryTrace, inSpanOf, newRequestId, REQUEST_ID_HEADER, requestContext } from './tracing.js';

/** How long a call waits while no process answers for a service. A restart takes about this long. */
const NO_RESPONDER_PATIENCE_MS = 3_000;
const NO_RESPONDER_RETRY_MS = 100;
/** The time that remains for an answer after the last repetition, or half of the deadline of a short call. */
const LATE_ANSWER_MS = 500;

/** Nest's packet of one answer (server.js `send`). */
interface ReplyPacket {
  response?: unknown;
  err?: unknown;
}

/** Makes calls with a deadline and the request id. Rebuilds errors as the {@link AppError} that the service threw. */
@Injectable()
export class RpcClient {
  private sent = 0;

  constructor(
    @Inject(NATS) private readonly nats: NatsConnection,
    @Optional() @Inject(CALL_OBSERVER) private readonly observer?: CallObserver,
  ) {}

  /** Throws the error of the service, or `timeout`, `unavailable` or `too_large`. */
  async send<C extends Call>(
    call: C,
    request: RequestInputOf<C> | JsonText,
    options: { deadlineMs?: number } = {},
  ): Promise<ReplyOf<C>> {
    const { subject } = call;
    const settings = { kind: SpanKind.CLIENT, attributes: { 'rpc.system': 'nats', 'rpc.method': subject } };
    try {
      const reply = await inSpanOf(subject, settings, () => this.ask(call, request, options));
      this.observer?.asked(subject, 'ok');
      return reply;
    } catch (error) {
      this.observer?.asked(subject, isAppError(error) ? error.code : 'internal');
      throw error;
    }
  }

  private async ask<C extends Call>(
    call: C,
    request: RequestInputOf<C> | JsonText,
    options: { deadlineMs?: number },
  ): Promise<ReplyOf<C>> {
    this.sent += 1;
    const payload = during(`ask:${call.subject}`, () => packetOf(call.subject, request, this.sent));
    const bytes = Buffer.byteLength(payload);
    if (bytes > PAYLOAD_BYTES_MAX) {
      throw new AppError(
        'too_large',
        `The request takes ${bytes} bytes internally: at most ${PAYLOAD_BYTES_MAX} are allowed`,
      );
    }
    const packet = await this.exchange(call.subject, payload, options.deadlineMs ?? call.deadlineMs);
    if (isErrorBody(packet.err)) throw AppError.fromBody(packet.err);
    if (packet.err !== undefined) throw new AppError('internal', 'Internal error', undefined, { cause: packet.err });
    const reply = during(`check:${call.subject}`, () => call.reply.safeParse(packet.response));
    if (reply.success) return reply.data as ReplyOf<C>;
    throw new AppError('internal', `${call.subject} gave an answer that its contract does not allow`, undefined, {
      cause: reply.error,
    });
  }

  /**
   * Repeats a request that had no responder. That is safe, because no process has seen it. A process that appears late
   * still has time to answer. So a call that no process could take ends as `unavailable`, not as `timeout`.
   */
  private async exchange(subject: string, payload: string, deadlineMs: number): Promise<ReplyPacket> {
    const startedAt = Date.now();
    const patienceMs = Math.min(NO_RESPONDER_PATIENCE_MS, Math.max(deadlineMs / 2, deadlineMs - LATE_ANSWER_MS));
    for (;;) {
      try {
        const timeout = Math.max(1, deadlineMs - (Date.now() - startedAt));
        const message = await this.nats.request(subject, payload, { timeout, headers: requestHeaders() });
        return during(`reply:${subject}`, () => message.json<ReplyPacket>());
      } catch (error) {
        const waited = Date.now() - startedAt;
        if (!isNoResponders(error) || waited + NO_RESPONDER_RETRY_MS > patienceMs) throw toAppError(error, subject);
        await new Promise((done) => setTimeout(done, NO_RESPONDER_RETRY_MS));
      }
    }
  }
}

/** Nest's packet of one call. */
function packetOf(subject: string, request: unknown, id: number): string {
  const data = jsonTextOf(request);
  const dataField = data === undefined ? '' : `"data":${data},`;
  return `{"pattern":${JSON.stringify(subject)},${dataField}"id":"${id}"}`;
}

function requestHeaders() {
  const carried = headers();
  carried.set(REQUEST_ID_HEADER, requestContext.get()?.requestId ?? newRequestId());
  carryTrace(carried);
  return carried;
}

const isNoResponders = (error: unknown) =>
  error instanceof NoRespondersError || (error instanceof Error && error.cause instanceof NoRespondersError);

function toAppError(error: unknown, subject: string): AppError {
  const cause = { cause: error };
  if (error instanceof TimeoutError || (error instanceof Error && error.cause instanceof TimeoutError)) {
    return new AppError('timeout', `No answer from the ${ownerOf(subject)} in time`, undefined, cause);
  }
  return new AppError('unavailable', `The ${ownerOf(subject)} is not available`, undefined, cause);
}

/** The subject of fetch keeps the name of the service that had it first. */
const ownerOf = (subject: string) =>
  subject.startsWith('runner.fetch.') ? 'fetcher' : `${subject.split('.', 1)[0]} service`;

/** A request that its sender has written as JSON already, for callers that write parts of it once for many requests. */
export class JsonText {
  constructor(readonly text: string) {}
}

const jsonTextOf = (request: unknown): string | undefined =>
  request instanceof JsonText ? request.text : JSON.stringify(request);
