import { Injectable } from '@nestjs/common';
import { acceptedSubject, type EventBatch } from '@weir/contracts';
import { during, GroupPublisher, inTraceOf, type Lease, Slices, type StreamMessage } from '@weir/messaging';
import type { IsSuppressed } from '../suppression/passage.js';
import { SuppressionService } from '../suppression/suppression.service.js';
import { DeadLetterRepository } from './dead-letter.repository.js';
import { FilterMetrics } from './filter.metrics.js';
import { acceptedEvents, passagesOf } from './filter.rules.js';
import { isUnreadable, readBatch, type Unreadable } from './read-batch.js';

/** Amortises the query without starving lease renewal. All partitions share one thread with it. */
const EVENTS_PER_QUERY = 1_000;

interface Pulled {
  message: StreamMessage;
  batch: EventBatch;
}

/** A batch after the check: the number of events left, and their JSON if there are any. */
interface Judged extends Pulled {
  passed: number;
  json: string | undefined;
}

/**
 * Passes on events that no regulation stops. Fails closed: a batch that cannot be checked or stored stays in the stream and is
 * redelivered.
 */
@Injectable()
export class BatchFilter {
  constructor(
    private readonly suppressions: SuppressionService,
    private readonly publisher: GroupPublisher,
    private readonly deadLetters: DeadLetterRepository,
    private readonly metrics: FilterMetrics,
  ) {}

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
      const passed = await Promise.allSettled(judged.map((one) => inTraceOf(one.message, () => this.pass(one, lease))));
      const failed = passed.find(({ status }) => status === 'rejected');
      if (failed) throw (failed as PromiseRejectedResult).reason;
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

/** Works in slices, because a message may hold ten thousand events and many large messages come together. */
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
