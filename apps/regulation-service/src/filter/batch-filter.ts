import { Injectable } from '@nestjs/common';
import { acceptedSubject, type EventBatch } from '@weir/contracts';
import { during, GroupPublisher, inTraceOf, type Lease, Slices, type StreamMessage } from '@weir/messaging';
import type { IsSuppressed } from '../suppression/passage.js';
import { SuppressionService } from '../suppression/suppression.service.js';
import { DeadLetterRepository } from './dead-letter.repository.js';
import { FilterMetrics } from './filter.metrics.js';
import { acceptedEvents, passagesOf } from './filter.rules.js';
import { isUnreadable, readBatch, type Unreadable } from './read-batch.js';

/**
 * Enough for one query to cost little an event, and so few that reading, looking up and passing them holds up nothing
 * else of the process for long: all partitions share its one thread with the renewal of their leases.
 */
const EVENTS_PER_QUERY = 1_000;

interface Pulled {
  message: StreamMessage;
  batch: EventBatch;
}

/** A batch without what is suppressed: how many events are left, and their JSON when there are any. */
interface Judged extends Pulled {
  passed: number;
  json: string | undefined;
}

/** Passes on what no regulation stops. Fails closed: what cannot be judged or stored stays in the stream and comes again. */
@Injectable()
export class BatchFilter {
  constructor(
    private readonly suppressions: SuppressionService,
    private readonly publisher: GroupPublisher,
    private readonly deadLetters: DeadLetterRepository,
    private readonly metrics: FilterMetrics,
  ) {}

  /** Everything pulled of one partition, in order. Rejects when it cannot go on; what is not acknowledged comes again. */
  async filter(messages: readonly StreamMessage[], lease?: Lease): Promise<void> {
    const waiting = messages.values();
    const slices = new Slices();
    const next = () => this.next(waiting, slices, lease);
    for (let group = await next(); group.length > 0; group = await next()) {
      // Asked after the pull, so it sees every regulation that was answered before these events were taken in.
      const isSuppressed = await this.suppressions.lookUp(group.flatMap(({ batch }) => passagesOf(batch)));
      const judged = await judge(group, isSuppressed, slices);
      // All in one turn: the publisher keeps the order, and refuses with a batch everything of its source that is behind it.
      const passed = await Promise.allSettled(judged.map((one) => inTraceOf(one.message, () => this.pass(one, lease))));
      const failed = passed.find(({ status }) => status === 'rejected');
      if (failed) throw (failed as PromiseRejectedResult).reason;
    }
  }

  /** The next batches, read only now: until they have events enough for a query. */
  private async next(waiting: Iterator<StreamMessage>, slices: Slices, lease: Lease | undefined): Promise<Pulled[]> {
    const group: Pulled[] = [];
    for (let events = 0; events < EVENTS_PER_QUERY; ) {
      const { value: message, done } = waiting.next();
      if (done) break;
      if (slices.isOver) await slices.next();
      const batch = during('filter.read', () => readBatch(message));
      if (isUnreadable(batch)) {
        lease?.assertHeld();
        await this.layAside(message, batch);
        continue;
      }
      group.push({ message, batch });
      events += batch.events.length;
    }
    return group;
  }

  private async pass({ message, batch, passed, json }: Judged, lease: Lease | undefined): Promise<void> {
    if (json !== undefined) await this.publisher.publish(acceptedSubject(batch), { json, id: batch.batchId }, lease);
    message.ack();
    this.metrics.count({ passed, suppressed: batch.events.length - passed });
  }

  private async layAside(message: StreamMessage, { reason }: Unreadable): Promise<void> {
    await this.deadLetters.add(message, reason);
    this.metrics.countUnreadable();
    message.term();
  }
}

/** In slices: a message may hold ten thousand events, and many large ones come together. */
async function judge(group: readonly Pulled[], isSuppressed: IsSuppressed, slices: Slices): Promise<Judged[]> {
  const judged: Judged[] = [];
  for (const { message, batch } of group) {
    if (slices.isOver) await slices.next();
    judged.push(during('filter.write', () => judgedOne(message, batch, isSuppressed)));
  }
  return judged;
}

function judgedOne(message: StreamMessage, batch: EventBatch, isSuppressed: IsSuppressed): Judged {
  const events = acceptedEvents(batch, isSuppressed);
  const isWhole = events.length === batch.events.length;
  const json = isWhole ? message.text() : JSON.stringify({ ...batch, events });
  return { message, batch, passed: events.length, json: events.length > 0 ? json : undefined };
}
