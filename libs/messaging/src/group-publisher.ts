import { createHash } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { NatsConnection } from '@nats-io/transport-node';
import { Inject, Injectable } from '@nestjs/common';
import { type Context, context, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { PAYLOAD_BYTES_MAX } from '@weir/contracts';
import type { Lease } from './lease.js';
import { joinParts } from './message-parts.js';
import { StreamPublisher } from './stream-publisher.js';
import { NATS } from './tokens.js';

/** Batches of one message; bounds what is done again when a message comes again. */
const GROUP_PARTS_MAX = 512;
/**
 * From one message of a subject to the next while batches come faster than messages go: the broker and everyone behind it
 * pay by the message. Whoever sends one after the other never waits.
 */
export const FLOOD_PAUSE_MS = 5;

/** One batch on its way into a stream. */
export interface Part {
  /** Its JSON, one line. */
  json: string;
  /** Names it for good: whoever reads it twice can tell. */
  id: string;
}

interface Waiting extends Part {
  lease: Lease | undefined;
  /** What it is a part of. */
  within: Context;
  done: () => void;
  fail: (error: unknown) => void;
}

/**
 * Writes batches to a stream, in order per subject and one message of a subject at a time: what comes in one turn of the
 * event loop, or while a message is under way, goes together. So a flood of small batches costs the broker, and everyone behind it, few messages.
 * A batch that comes twice may be stored twice, in different company: who reads a stream tells by the batch's own id.
 */
@Injectable()
export class GroupPublisher {
  private readonly queues = new Map<string, Waiting[]>();
  private readonly publisher: StreamPublisher;

  constructor(@Inject(NATS) nats: NatsConnection) {
    this.publisher = new StreamPublisher(nats);
  }

  /**
   * Settles when the broker has it. Throws `unavailable` when it did not come to know that, and then for everything that
   * waits behind it, too: nothing overtakes a batch that was refused. With a lease it is written in the name of that.
   */
  publish(subject: string, part: Part, lease?: Lease): Promise<void> {
    return new Promise((done, fail) => {
      const waiting = { ...part, lease, within: context.active(), done, fail };
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
    await nextTurn(); // so that the first finds company in what comes in this turn
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

  /** In the trace of the first that has one, with links to those of the others: a message has one. */
  private async write(subject: string, group: readonly Waiting[]): Promise<void> {
    const traced = group.map(({ within }) => within).filter((within) => trace.getSpan(within));
    const [first = ROOT_CONTEXT, ...alsoOf] = traced;
    const text = joinParts(group.map(({ json }) => json));
    const options = { msgId: idOf(group), lease: group[0]?.lease, alsoOf };
    await context.with(first, () => this.publisher.publishText(subject, text, options));
  }
}

/** At least one, and as many of the same lease as fit. */
function takeGroup(queue: Waiting[]): Waiting[] {
  let bytes = 0;
  const end = queue.findIndex(({ json, lease }, at) => {
    bytes += Buffer.byteLength(json) + 1;
    return at > 0 && (bytes > PAYLOAD_BYTES_MAX || at >= GROUP_PARTS_MAX || lease !== queue[0]?.lease);
  });
  return queue.splice(0, end === -1 ? queue.length : end);
}

/** A batch that is alone in its message names it; the same company always has the same name. */
function idOf(group: readonly Part[]): string {
  const [first, ...more] = group.map(({ id }) => id);
  if (more.length === 0) return first ?? '';
  return createHash('sha256')
    .update([first, ...more].join('\n'))
    .digest('hex');
}
