import { Injectable } from '@nestjs/common';
import { acceptedSubject, type EventBatch, type JsonObject, matchIdsOf } from '@weir/contracts';
import {
  allEnded,
  during,
  GroupPublisher,
  inTraceOf,
  isBatch,
  type Lease,
  type NoBatch,
  readBatch,
  Slices,
  type StreamMessage,
} from '@weir/messaging';
import { Metrics } from '@weir/service-kit';
import { type IsSuppressed, type Passage, SuppressionService } from '../suppression/suppression.service.js';
import { SuppressedTeller } from './suppressed-teller.js';
import { UnreadableRepository } from './unreadable.repository.js';

/** Amortises the query without starving lease renewal. All partitions share one thread with it. */
const EVENTS_PER_QUERY = 1_000;

interface Pulled {
  message: StreamMessage;
  batch: EventBatch;
}

/** A batch after the check: the events that were stopped, and the JSON of the others if there are any. */
interface Judged extends Pulled {
  stopped: JsonObject[];
  json: string | undefined;
}

/**
 * Passes on events that no regulation stops. Fails closed: a batch that cannot be checked or stored stays in the stream and is
 * redelivered.
 */
@Injectable()
export class BatchFilter {
  private readonly events;
  private readonly unreadableTotal;

  constructor(
    private readonly suppressions: SuppressionService,
    private readonly publisher: GroupPublisher,
    private readonly unreadable: UnreadableRepository,
    private readonly teller: SuppressedTeller,
    metrics: Metrics,
  ) {
    this.events = metrics.counter({
      name: 'regulation_filter_events_total',
      help: 'Events that the filter took from the stream, by outcome: passed or suppressed',
      labelNames: ['outcome'],
    });
    this.unreadableTotal = metrics.counter({
      name: 'regulation_filter_dead_letters_total',
      help: 'Messages that are not batches of events',
    });
  }

  /**
   * Filters the messages pulled from one partition, in order. Rejects if it cannot go on. Unacknowledged messages are
   * redelivered.
   */
  async filter(messages: readonly StreamMessage[], lease?: Lease): Promise<void> {
    const waiting = messages.values();
    const slices = new Slices();
    const next = () => this.next(waiting, slices, lease);
    for (let group = await next(); group.length > 0; group = await next()) {
      // The query runs after the pull, so it sees every regulation that was answered before the intake of these events.
      const isSuppressed = await this.suppressions.lookUp(group.flatMap(({ batch }) => passagesOf(batch)));
      const judged = await judge(group, isSuppressed, slices);
      // Publishes all in one turn. The publisher keeps the order, and if it refuses a batch, it also refuses all later ones of
      // that source.
      await allEnded(judged.map((one) => inTraceOf(one.message, () => this.pass(one, lease))));
    }
  }

  /** Reads further batches until they have enough events for a query. */
  private async next(waiting: Iterator<StreamMessage>, slices: Slices, lease: Lease | undefined): Promise<Pulled[]> {
    const group: Pulled[] = [];
    for (let events = 0; events < EVENTS_PER_QUERY; ) {
      const { value: message, done } = waiting.next();
      if (done) break;
      if (slices.isOver) await slices.next();
      const batch = during('filter.read', () => readBatch(message));
      if (!isBatch(batch)) {
        lease?.assertHeld();
        await this.layAside(message, batch);
        continue;
      }
      group.push({ message, batch });
      events += batch.events.length;
    }
    return group;
  }

  private async pass({ message, batch, stopped, json }: Judged, lease: Lease | undefined): Promise<void> {
    if (json !== undefined) await this.publisher.publish(acceptedSubject(batch), { json, id: batch.batchId }, lease);
    message.ack();
    this.events.inc({ outcome: 'passed' }, batch.events.length - stopped.length);
    this.events.inc({ outcome: 'suppressed' }, stopped.length);
    this.teller.tell(batch, stopped);
  }

  private async layAside(message: StreamMessage, { reason }: NoBatch): Promise<void> {
    await this.unreadable.add(message, reason);
    this.unreadableTotal.inc();
    message.term();
  }
}

/** Works in slices, because a message may hold ten thousand events and many large messages come together. */
function judge(group: readonly Pulled[], isSuppressed: IsSuppressed, slices: Slices): Promise<Judged[]> {
  return slices.map(group, ({ message, batch }) =>
    during('filter.write', () => judgedOne(message, batch, isSuppressed)),
  );
}

function judgedOne(message: StreamMessage, batch: EventBatch, isSuppressed: IsSuppressed): Judged {
  const events = acceptedEvents(batch, isSuppressed);
  const passed = new Set(events);
  const stopped = batch.events.filter((event) => !passed.has(event));
  const json = stopped.length === 0 ? message.text() : JSON.stringify({ ...batch, events });
  return { message, batch, stopped, json: events.length > 0 ? json : undefined };
}

/** Every user by whom a regulation may match an event of the batch. */
export function passagesOf(batch: EventBatch): Passage[] {
  return batch.events.flatMap((event) => passagesOfEvent(batch, event));
}

/** The events that may pass, in order. An event without a user id always passes. */
export function acceptedEvents(batch: EventBatch, isSuppressed: IsSuppressed): JsonObject[] {
  const stops = (passage: Passage) => isSuppressed(passage, batch.receivedAt);
  return batch.events.filter((event) => !passagesOfEvent(batch, event).some(stops));
}

const passagesOfEvent = ({ workspaceId, sourceId }: EventBatch, event: JsonObject): Passage[] =>
  matchIdsOf(event).map((userId) => ({ workspaceId, sourceId, userId }));
