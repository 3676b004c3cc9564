import { Injectable } from '@nestjs/common';
import { INTAKE_BODY_BYTES_MAX, isAppError, rawSubject, type SourceRecord } from '@weir/contracts';
import { during, GroupPublisher, InventoryMirror, Slices } from '@weir/messaging';
import { Metrics } from '@weir/service-kit';
import type { FastifyRequest } from 'fastify';
import { type Hold, InFlightBytes } from '../http/in-flight.js';
import { inflated, readBody } from '../http/read-body.js';
import { SlowBodies } from '../http/slow-bodies.js';
import { type IntakeCall, isWebhookCall, type PixelCall, type WebhookCall } from './calls.js';
import { clientAddress } from './client-address.js';
import { type Arrival, enrich } from './enrich.js';
import { parseEvents, type Taken, type TakenRequest } from './parse-events.js';
import { pixelEvent, type Query } from './pixel.js';
import { refusals } from './refusals.js';
import { type BudgetHeaders, SourceBudgets } from './source-budgets.js';
import { SourceLookup } from './source-lookup.js';
import { batchIdOf, splitParts } from './split.js';
import { refuseUnlessWebhook } from './webhook.js';
import { writeKeyInQuery } from './write-key.js';

/** Limit of body bytes in memory at a time. Parsed bodies take several times as much. */
const IN_FLIGHT_BYTES_MAX = 33_554_432;

/** Takes events: identifies the source, checks the events and stores them. */
@Injectable()
export class IntakeService {
  private readonly inFlight = new InFlightBytes(IN_FLIGHT_BYTES_MAX, refusals.unavailable);
  private readonly taken;

  constructor(
    private readonly sources: SourceLookup,
    private readonly inventory: InventoryMirror,
    private readonly stream: GroupPublisher,
    private readonly budgets: SourceBudgets,
    private readonly slow: SlowBodies,
    metrics: Metrics,
  ) {
    this.taken = metrics.counter({
      name: 'intake_events_total',
      help: 'Events that the broker has acknowledged, by path of the intake',
      labelNames: ['call'],
    });
    const { inFlight } = this;
    metrics.gauge({
      name: 'intake_in_flight_bytes',
      help: 'Bytes of bodies that are received and not yet acknowledged by the broker',
      collect() {
        this.set(inFlight.bytes);
      },
    });
  }

  /**
   * Resolves with the source's remaining budget after the broker has acknowledged every part of the request. Throws one of the
   * {@link refusals}.
   */
  async take(call: IntakeCall, writeKey: string, request: FastifyRequest): Promise<BudgetHeaders> {
    const source = await this.senderOf(call, writeKey);
    return this.holding(source, async (hold) => {
      const body = await this.bodyOf(request, hold);
      return this.store(call, source, await parseEvents(call, body), request);
    });
  }

  /** Same as {@link take}, for the query of an image or webhook. The server's limit on headers bounds its size. */
  async takeQuery(call: PixelCall | WebhookCall, request: FastifyRequest): Promise<BudgetHeaders> {
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

  private async holding<T>({ workspaceId, id: sourceId }: SourceRecord, work: (hold: Hold) => Promise<T>): Promise<T> {
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

  private async senderOf(call: IntakeCall, writeKey: string): Promise<SourceRecord> {
    const source = await this.sources.sending(writeKey);
    if (isWebhookCall(call)) refuseUnlessWebhook(source);
    return source;
  }

  private async store(call: IntakeCall, source: SourceRecord, taken: TakenRequest, request: FastifyRequest) {
    const { events, sentAt } = taken;
    const budget = this.budgets.spend(source, events.length);
    const { headers, socket } = request;
    const requestIp = clientAddress(headers['x-forwarded-for'], socket.remoteAddress);
    await this.publish(source, events, { receivedAt: Date.now(), requestIp, sentAt });
    this.taken.inc({ call }, events.length);
    return budget;
  }

  /** Publishes parts in sequence, so that no later part is stored after a refused one. */
  private async publish(source: SourceRecord, events: Taken[], arrival: Arrival): Promise<void> {
    const { workspaceId, id: sourceId, writeKey } = source;
    const subject = rawSubject({ workspaceId, sourceId });
    const { bucket: inventoryBucket, revision: inventoryRevision } = this.inventory.mark;
    const receivedAt = new Date(arrival.receivedAt).toISOString();
    const slices = new Slices();
    for (const [index, part] of splitParts(events).entries()) {
      const batchId = during('intake.write', () => batchIdOf(sourceId, index, part));
      for (const { event, identity } of part) {
        if (slices.isOver) await slices.next();
        enrich(event, identity, arrival);
      }
      if (slices.isOver) await slices.next();
      const batch = { batchId, workspaceId, sourceId, writeKey, receivedAt, inventoryRevision, inventoryBucket };
      const whole = { ...batch, events: part.map(({ event }) => event) };
      const json = during('intake.write', () => JSON.stringify(whole));
      await this.stream.publish(subject, { json, id: batchId }).catch(asRefusal);
    }
  }
}

/** Clients react to a full stream and to an absent broker in the same way: they try again. */
function asRefusal(error: unknown): never {
  throw isAppError(error) && error.code === 'unavailable' ? refusals.unavailable(error) : error;
}
