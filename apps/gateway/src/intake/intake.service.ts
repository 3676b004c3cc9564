import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { isAppError, rawSubject, type SourceRecord } from '@weir/contracts';
import { InventoryMirror, StreamPublisher } from '@weir/messaging';
import { Metrics } from '@weir/service-kit';
import { clientAddress } from './client-address.js';
import { type Arrival, enrich } from './enrich.js';
import { InFlightBytes } from './in-flight.js';
import { type IntakeCall, parseEvents, type Taken } from './parse-events.js';
import { readBody } from './read-body.js';
import { refusals } from './refusals.js';
import { SourceLookup } from './source-lookup.js';
import { batchIdOf, splitParts } from './split.js';

/** Takes events: who sent them, are they events, and are they stored. */
@Injectable()
export class IntakeService {
  private readonly inFlight = new InFlightBytes();
  private readonly taken;

  constructor(
    private readonly sources: SourceLookup,
    private readonly inventory: InventoryMirror,
    private readonly stream: StreamPublisher,
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

  /** Settles when the broker has acknowledged every part of the request; throws one of the {@link refusals}. */
  async take(call: IntakeCall, request: IncomingMessage): Promise<void> {
    const source = await this.sources.byAuthorization(request.headers.authorization);
    const hold = this.inFlight.open();
    try {
      const body = await readBody(request, request.headers, hold);
      const { events, sentAt } = parseEvents(call, body);
      const { headers, socket } = request;
      const requestIp = clientAddress(headers['x-forwarded-for'], socket.remoteAddress);
      await this.store(source, events, { receivedAt: Date.now(), requestIp, sentAt });
      this.taken.inc({ call }, events.length);
    } finally {
      hold.release();
    }
  }

  /** One part after the other, so that a refused part leaves no later one behind it. */
  private async store(source: SourceRecord, events: Taken[], arrival: Arrival): Promise<void> {
    const { workspaceId, id: sourceId, writeKey } = source;
    const inventoryRevision = this.inventory.revision;
    const receivedAt = new Date(arrival.receivedAt).toISOString();
    for (const [index, part] of splitParts(events).entries()) {
      const batchId = batchIdOf(sourceId, index, part);
      for (const { event, identity } of part) enrich(event, identity, arrival);
      const batch = { batchId, workspaceId, sourceId, writeKey, receivedAt, inventoryRevision };
      const payload = { ...batch, events: part.map(({ event }) => event) };
      await this.stream.publish(rawSubject(batch), payload, { msgId: batchId }).catch(asRefusal);
    }
  }
}

/** A full stream and a broker that is away look alike to a client: try again. */
function asRefusal(error: unknown): never {
  throw isAppError(error) && error.code === 'unavailable' ? refusals.unavailable(error) : error;
}
