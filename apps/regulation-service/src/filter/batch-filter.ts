import { Injectable } from '@nestjs/common';
import { acceptedSubject, type EventBatch } from '@weir/contracts';
import { during, GroupPublisher, inTraceOf, type Lease, type StreamMessage } from '@weir/messaging';
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
    const next = () => this.next(waiting, lease);
    for (let group = await next(); group.length > 0; group = await next()) {
      // Asked after the pull, so it sees every regulation that was answered before these events were taken in.
      const isSuppressed = await this.suppressions.lookUp(group.flatMap(({ batch }) => passagesOf(batch)));
      // All at once: the publisher keeps the order, and refuses with a batch everything of its source that is behind it.
      const passed = await Promise.allSettled(
        group.map((one) => inTraceOf(one.message, () => this.pass(one, isSuppressed, lease))),
      );
      const failed = passed.find(({ status }) => status === 'rejected');
      if (failed) throw (failed as PromiseRejectedResult).reason;
    }
  }

  /** The next batches, read only now: until they have events enough for a query. */
  private async next(waiting: Iterator<StreamMessage>, lease: Lease | undefined): Promise<Pulled[]> {
    const group: Pulled[] = [];
    for (let events = 0; events < EVENTS_PER_QUERY; ) {
      const { value: message, done } = waiting.next();
      if (done) break;
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

  private async pass({ message, batch }: Pulled, isSuppressed: IsSuppressed, lease: Lease | undefined): Promise<void> {
    const events = acceptedEvents(batch, isSuppressed);
    if (events.length > 0) {
      const isWhole = events.length === batch.events.length;
      const json = isWhole ? message.text() : during('filter.write', () => JSON.stringify({ ...batch, events }));
      await this.publisher.publish(acceptedSubject(batch), { json, id: batch.batchId }, lease);
    }
    message.ack();
    this.metrics.count({ passed: events.length, suppressed: batch.events.length - events.length });
  }

  private async layAside(message: StreamMessage, { reason }: Unreadable): Promise<void> {
    await this.deadLetters.add(message, reason);
    this.metrics.countUnreadable();
    message.term();
  }
}
