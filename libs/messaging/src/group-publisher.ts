import { createHash } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { NatsConnection } from '@nats-io/transport-node';
import { Inject, Injectable } from '@nestjs/common';
import { type Context, context } from '@opentelemetry/api';
import { PAYLOAD_BYTES_MAX, sizedSubject } from '@weir/contracts';
import { NATS } from './connection.js';
import type { Lease } from './lease.js';
import { packBatches } from './packed-batches.js';
import { StreamPublisher } from './stream-publisher.js';

/** Batches per message. Bounds the work that a redelivery repeats. */
const GROUP_BATCHES_MAX = 512;
/**
 * Pause between two messages of a subject when batches arrive faster than messages leave. The broker and its consumers pay per
 * message. A caller that sends one batch after the other never waits.
 */
export const FLOOD_PAUSE_MS = 5;

/** One batch for a stream. */
export interface PackableBatch {
  /** The batch as JSON on one line. */
  json: string;
  /** Permanent name of the batch, by which a reader recognises a duplicate. */
  id: string;
}

interface Waiting extends PackableBatch {
  lease: Lease | undefined;
  /** Trace context of the caller. */
  within: Context;
  done: () => void;
  fail: (error: unknown) => void;
}

/**
 * Writes batches to a stream in order, one message of a subject at a time. Batches that arrive in the same turn of the event
 * loop, or while a message is being sent, share one message. So a flood of small batches costs the broker and its consumers few
 * messages. A batch that is published twice may be stored twice, in different groups. Readers must deduplicate by the batch id.
 */
@Injectable()
export class GroupPublisher {
  private readonly queues = new Map<string, Waiting[]>();
  private readonly publisher: StreamPublisher;

  constructor(@Inject(NATS) nats: NatsConnection) {
    this.publisher = new StreamPublisher(nats);
  }

  /**
   * Resolves when the broker has stored the batch. Throws `unavailable` when that is not certain, also for everything queued
   * behind it, so that nothing overtakes a failed batch. With `lease`, writes only while the lease is held.
   */
  publish(subject: string, batch: PackableBatch, lease?: Lease): Promise<void> {
    return new Promise((done, fail) => {
      const waiting = { ...batch, lease, within: context.active(), done, fail };
      const queue = this.queues.get(subject);
      if (queue) {
        queue.push(waiting);
      } else {
        const begun = [waiting];
        this.queues.set(subject, begun);
        void this.drain(subject, begun);
      }
    });
  }

  private async drain(subject: string, queue: Waiting[]): Promise<void> {
    await nextTurn(); // lets the first batch share a message with others from the same turn
    while (queue.length > 0) {
      const group = takeGroup(queue);
      const pause = group.length > 1 && sleep(FLOOD_PAUSE_MS);
      try {
        await this.write(subject, group);
        for (const { done } of group) done();
      } catch (error) {
        for (const { fail } of [...group, ...queue.splice(0)]) fail(error);
      }
      await pause;
    }
    this.queues.delete(subject);
  }

  private async write(subject: string, group: readonly Waiting[]): Promise<void> {
    const text = packBatches(group.map(({ json }) => json));
    const traces = group.map(({ within }) => within);
    const sized = sizedSubject(subject, Buffer.byteLength(text));
    await this.publisher.publishText(sized, text, { msgId: idOf(group), lease: group[0]?.lease, traces });
  }
}

/** Removes at least one batch, plus as many of the same lease as fit. */
function takeGroup(queue: Waiting[]): Waiting[] {
  let bytes = 0;
  const end = queue.findIndex(({ json, lease }, at) => {
    bytes += Buffer.byteLength(json) + 1;
    return at > 0 && (bytes > PAYLOAD_BYTES_MAX || at >= GROUP_BATCHES_MAX || lease !== queue[0]?.lease);
  });
  return queue.splice(0, end === -1 ? queue.length : end);
}

/** The id of a single batch, or a hash over all ids of the group. The same group always gets the same id. */
function idOf(group: readonly PackableBatch[]): string {
  const [first, ...more] = group.map(({ id }) => id);
  if (more.length === 0) return first ?? '';
  return createHash('sha256')
    .update([first, ...more].join('\n'))
    .digest('hex');
}
