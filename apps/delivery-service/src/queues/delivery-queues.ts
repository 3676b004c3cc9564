import { type JetStreamManager, jetstreamManager, type MsgRequest } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { Inject, Injectable } from '@nestjs/common';
import { deliverySubject } from '@weir/contracts';
import { DELIVERIES, NATS, STREAM_BYTES_MAX_DEFAULT, type StreamMessage, traceOf } from '@weir/messaging';

/** Messages that wait for one destination in one partition. */
export interface Waiting {
  partition: number;
  destinationId: string;
  messages: number;
}

export interface QueuedMessage {
  sequence: number;
  data: Uint8Array;
  trace: StreamMessage['trace'];
}

/**
 * The queues in the DELIVERIES stream: one subject for each partition and destination. Only the owner of a partition reads its
 * queues and removes what is done, so a queue needs no consumer, and one that is empty costs nothing.
 */
@Injectable()
export class DeliveryQueues {
  private opened: Promise<JetStreamManager> | undefined;

  constructor(@Inject(NATS) private readonly nats: NatsConnection) {}

  /** The first message after a sequence. Undefined at the end of the queue. */
  async next(subject: string, after: number): Promise<QueuedMessage | undefined> {
    const { streams } = await this.manager();
    const found = await streams.getMessage(DELIVERIES, nextOf(subject, after));
    return found ? { sequence: found.seq, data: found.data, trace: traceOf(found.header) } : undefined;
  }

  /** Reads a message again. Undefined if the stream no longer has it. */
  async message(sequence: number): Promise<Uint8Array | undefined> {
    const { streams } = await this.manager();
    return (await streams.getMessage(DELIVERIES, { seq: sequence }))?.data;
  }

  /** Whether the stream still has a message in this queue. */
  async has(subject: string, sequence: number): Promise<boolean> {
    const { streams } = await this.manager();
    return (await streams.getMessage(DELIVERIES, { seq: sequence }))?.subject === subject;
  }

  /** Removes a message that is done. One that is gone already is not an error. */
  async remove(sequence: number): Promise<void> {
    const { streams } = await this.manager();
    try {
      await streams.deleteMessage(DELIVERIES, sequence, false);
    } catch (error) {
      if (await this.message(sequence)) throw error;
    }
  }

  /** Removes the messages of a deleted destination. Returns their number. */
  async purge(destinationId: string): Promise<number> {
    const { streams } = await this.manager();
    const { purged } = await streams.purge(DELIVERIES, { filter: deliverySubject('*', destinationId) });
    return purged;
  }

  /** Size and limit of the whole stream. A stream without a limit counts as one with the default limit. */
  async size(): Promise<{ bytes: number; bytesMax: number }> {
    const { streams } = await this.manager();
    const { state, config } = await streams.info(DELIVERIES);
    return { bytes: state.bytes, bytesMax: config.max_bytes > 0 ? config.max_bytes : STREAM_BYTES_MAX_DEFAULT };
  }

  /** The queues that are not empty, and the last sequence of the stream. */
  async waiting(): Promise<{ queues: Waiting[]; lastSequence: number }> {
    const { streams } = await this.manager();
    const { state } = await streams.info(DELIVERIES, { subjects_filter: deliverySubject('*', '*') });
    const queues = Object.entries(state.subjects ?? {}).map(([subject, messages]) => {
      const [, of, destinationId = ''] = subject.split('.');
      return { partition: Number(of), destinationId, messages };
    });
    return { queues, lastSequence: state.last_seq };
  }

  private manager(): Promise<JetStreamManager> {
    this.opened ??= jetstreamManager(this.nats, { checkAPI: false });
    return this.opened;
  }
}

/**
 * The leader of the stream answers this. A direct read may come from a server of the cluster that is behind, and would miss
 * messages. The client's types know the request for direct reads alone.
 */
const nextOf = (subject: string, after: number) => ({ seq: after + 1, next_by_subj: subject }) as MsgRequest;
