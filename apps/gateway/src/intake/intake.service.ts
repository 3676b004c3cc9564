import { Injectable } from '@nestjs/common';
import { INTAKE_BODY_BYTES_MAX, isAppError, type SourceRecord } from '@weir/contracts';
import { StreamShares } from '@weir/messaging';
import { Metrics } from '@weir/service-kit';
import type { FastifyRequest } from 'fastify';
import { type Hold, InFlightBytes } from '../http/in-flight.js';
import { inflated, readBody } from '../http/read-body.js';
import { SlowBodies } from '../http/slow-bodies.js';
import { AuthThrottle } from '../http/throttle.js';
import { BatchPublisher } from './batches.js';
import { clientAddress, writeKeyInQuery } from './client.js';
import { type IntakeCall, isWebhookCall, type PixelCall, type WebhookCall } from './intake.api.js';
import { pixelEvent, type Query, refuseUnlessWebhook } from './made-events.js';
import { parseEvents, type TakenRequest } from './parse-events.js';
import { type RateLimitHeaders, RateLimits } from './rate-limits.js';
import { refusals } from './refusals.js';
import { SourceLookup } from './source-lookup.js';

/** Limit of body bytes in memory at a time. Parsed bodies take several times as much. */
const IN_FLIGHT_BYTES_MAX = 33_554_432;

/** Others may have taken the room, or a workspace behind the same address. All other refusals are the sender's. */
const isNoRoom = (error: unknown) => isAppError(error) && error.code === 'unavailable';

type Sender = Pick<SourceRecord, 'workspaceId' | 'id'>;
/** A client that has not shown a write key yet. */
const STRANGER: Sender = { workspaceId: 'stranger', id: 'stranger' };

/** The write key of a batch or of a lone event, which does not pass it on. */
function keyOf({ events: [first], writeKey }: TakenRequest): string | undefined {
  const given = writeKey ?? first?.event['writeKey'];
  if (writeKey === undefined && first) delete first.event['writeKey'];
  return typeof given === 'string' && given !== '' ? given : undefined;
}

/** Takes events: identifies the source, checks the events and stores them. */
@Injectable()
export class IntakeService {
  private readonly inFlight = new InFlightBytes(IN_FLIGHT_BYTES_MAX, refusals.unavailable);
  private readonly taken;
  private readonly refused;

  constructor(
    private readonly sources: SourceLookup,
    private readonly batches: BatchPublisher,
    private readonly limits: RateLimits,
    private readonly shares: StreamShares,
    private readonly slow: SlowBodies,
    private readonly throttle: AuthThrottle,
    metrics: Metrics,
  ) {
    this.taken = metrics.counter({
      name: 'intake_events_total',
      help: 'Events that the broker has acknowledged, by intake path',
      labelNames: ['call'],
    });
    this.refused = metrics.counter({
      name: 'intake_share_refusals_total',
      help: 'Requests refused with 503, because their workspace holds its share of the event streams',
    });
    const { inFlight } = this;
    metrics.gauge({
      name: 'intake_in_flight_bytes',
      help: 'Bytes of received bodies that the broker has not yet acknowledged',
      collect() {
        this.set(inFlight.bytes);
      },
    });
  }

  /**
   * Resolves with the headers of the source's rate limit after the broker has acknowledged every batch of the request. Throws one of the
   * {@link refusals}.
   */
  async take(call: IntakeCall, writeKey: string | undefined, request: FastifyRequest): Promise<RateLimitHeaders> {
    if (writeKey === undefined) return this.takeSigned(call, request);
    const source = await this.senderOf(call, writeKey);
    return this.holding(source, async (hold) => {
      const body = await this.bodyOf(request, hold);
      return this.store(call, source, await parseEvents(call, body), request);
    });
  }

  /** Same as {@link take}, for a body that has the write key. Until it is read, strangers share one place in memory. */
  private async takeSigned(call: IntakeCall, request: FastifyRequest): Promise<RateLimitHeaders> {
    this.throttle.checkKeyless(request.ip);
    const { source, taken, bytes } = await this.holding(STRANGER, async (hold) => {
      try {
        const body = await this.bodyOf(request, hold);
        return { ...(await this.signed(call, body)), bytes: body.length };
      } catch (error) {
        if (!isNoRoom(error)) this.throttle.addKeyless(request.ip, hold.most);
        throw error;
      }
    });
    return this.holding(source, async (hold) => {
      hold.add(bytes);
      return this.store(call, source, taken, request);
    });
  }

  /** The source that a body names, and the events in it. */
  private async signed(call: IntakeCall, body: Buffer): Promise<{ source: SourceRecord; taken: TakenRequest }> {
    if (body.length === 0) throw refusals.noWriteKey();
    const taken = await parseEvents(call, body);
    const key = keyOf(taken);
    if (key === undefined) throw refusals.noWriteKey();
    return { source: await this.senderOf(call, key), taken };
  }

  /** Same as {@link take}, for the query of an image or webhook. The server's limit on headers bounds its size. */
  async takeQuery(call: PixelCall | WebhookCall, request: FastifyRequest): Promise<RateLimitHeaders> {
    const query = request.query as Query;
    const source = await this.senderOf(call, writeKeyInQuery({ query }));
    return this.holding(source, async (hold) => {
      const { writeKey, ...reported } = query;
      const sent = isWebhookCall(call) ? reported : pixelEvent(call, query, Date.now());
      const body = Buffer.from(JSON.stringify(sent));
      hold.add(body.length);
      return this.store(call, source, await parseEvents(call, body), request);
    });
  }

  private async holding<T>({ workspaceId, id: sourceId }: Sender, work: (hold: Hold) => Promise<T>): Promise<T> {
    const hold = this.inFlight.open({ workspaceId, sourceId });
    try {
      return await work(hold);
    } finally {
      hold.release();
    }
  }

  /** Inflates gzip, whatever the content type. */
  private async bodyOf({ raw, headers, ip: address }: FastifyRequest, hold: Hold): Promise<Buffer> {
    const encoding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase();
    if (encoding !== 'identity' && encoding !== 'gzip' && encoding !== 'x-gzip') throw refusals.unknownEncoding();
    const rules = { bytesMax: INTAKE_BODY_BYTES_MAX, hold, address, slow: this.slow, refusals };
    const sent = await readBody(raw, rules);
    return encoding === 'identity' || sent.length === 0 ? sent : inflated(sent, rules);
  }

  /** The source of a write key that may send now. Comes before a body is read, where the key is known by then. */
  private async senderOf(call: IntakeCall, writeKey: string): Promise<SourceRecord> {
    const source = await this.sources.sending(writeKey);
    if (isWebhookCall(call)) refuseUnlessWebhook(source);
    this.limits.check(source);
    if (this.shares.hasRoom(source.workspaceId)) return source;
    this.refused.inc();
    throw refusals.unavailable();
  }

  private async store(call: IntakeCall, source: SourceRecord, taken: TakenRequest, request: FastifyRequest) {
    const { events, sentAt } = taken;
    const bytes = events.reduce((sum, event) => sum + event.bytes, 0);
    const limit = this.limits.spend(source, { events: events.length, bytes });
    const { headers, socket } = request;
    const requestIp = clientAddress(headers['x-forwarded-for'], socket.remoteAddress);
    await this.batches.publish(source, events, { receivedAt: Date.now(), requestIp, sentAt });
    this.taken.inc({ call }, events.length);
    return limit;
  }
}
