import { type JetStreamManager, jetstreamManager, type MsgRequest, type StoredMsg } from '@nats-io/jetstream';
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

/**
 * A message of a queue. The numbers of a stream that was lost and made anew may start over, so its name, which the broker knows it by, tells it
 * from another one.
 */
export interface MessageRef {
  sequence: number;
  name: string;
}

export interface QueuedMessage extends MessageRef {
  data: Uint8Array;
  trace: StreamMessage['trace'];
}

/**
 * The queues in the DELIVERIES stream: one subject for each partition and destination. Only the owner of a partition reads its
 * queues and removes what is done, so a queue needs no consumer, and one that is empty costs nothing.
 */
@Injectable()
export class DeliveryQueues {
  /** How often this process found that the stream had been made anew. */
  losses = 0;
  private opened: Promise<JetStreamManager> | undefined;
  /** When the stream was made, as the broker said last. */
  private madeAt: string | undefined;
  private confirming: Promise<void> = Promise.resolve();
  private nextConfirming: Promise<void> | undefined;

  constructor(@Inject(NATS) private readonly nats: NatsConnection) {}

  /** The first message after a sequence. Undefined at the end of the queue. */
  async next(subject: string, after: number): Promise<QueuedMessage | undefined> {
    const { streams } = await this.manager();
    const found = await streams.getMessage(DELIVERIES, nextOf(subject, after));
    return found
      ? { sequence: found.seq, name: nameOf(found), data: found.data, trace: traceOf(found.header) }
      : undefined;
  }

  /** Reads a message again. Undefined if the stream no longer has it. */
  async message({ sequence, name }: MessageRef): Promise<Uint8Array | undefined> {
    const { streams } = await this.manager();
    const found = await streams.getMessage(DELIVERIES, { seq: sequence });
    return found && nameOf(found) === name ? found.data : undefined;
  }

  /** Removes a message that is done. One that is gone already is not an error, even if another one has its number now. */
  async remove(message: MessageRef): Promise<void> {
    const { streams } = await this.manager();
    await this.confirm();
    if (this.losses > 0 && !(await this.message(message))) return;
    try {
      await streams.deleteMessage(DELIVERIES, message.sequence, false);
    } catch (error) {
      if (await this.message(message)) throw error;
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
    const { state, created } = await streams.info(DELIVERIES, { subjects_filter: deliverySubject('*', '*') });
    this.learn(created);
    const queues = Object.entries(state.subjects ?? {}).map(([subject, messages]) => {
      const [, of, destinationId = ''] = subject.split('.');
      return { partition: Number(of), destinationId, messages };
    });
    return { queues, lastSequence: state.last_seq };
  }

  /** Finds out whether the stream is still the same. Whoever asks meanwhile shares the next answer, which is newer than the question. */
  private confirm(): Promise<void> {
    this.nextConfirming ??= this.confirming
      .catch(() => undefined)
      .then(() => {
        this.nextConfirming = undefined;
        this.confirming = this.ask();
        return this.confirming;
      });
    return this.nextConfirming;
  }

  private async ask(): Promise<void> {
    const { streams } = await this.manager();
    this.learn((await streams.info(DELIVERIES)).created);
  }

  private learn(madeAt: string): void {
    if (this.madeAt !== undefined && this.madeAt !== madeAt) this.losses += 1;
    this.madeAt = madeAt;
  }

  private manager(): Promise<JetStreamManager> {
    this.opened ??= jetstreamManager(this.nats, { checkAPI: false });
    return this.opened;
  }
}

const NAME_HEADER = 'Nats-Msg-Id';

const nameOf = ({ header }: StoredMsg): string => header.get(NAME_HEADER);

/**
 * The leader of the stream answers this. A direct read may come from a server of the cluster that is behind, and would miss
 * messages. The client's types know the request for direct reads alone.
 */
const nextOf = (subject: string, after: number) => ({ seq: after + 1, next_by_subj: subject }) as MsgRequest;
