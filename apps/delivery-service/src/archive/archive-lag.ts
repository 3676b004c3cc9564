import { type ConsumerInfo, type JetStreamManager, jetstreamManager, type MsgRequest } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { Inject, Injectable } from '@nestjs/common';
import { PARTITIONS } from '@weir/contracts';
import { EVENTS_ACCEPTED, isBatch, jsonOf, NATS, partitionConsumer, readBatch, unpackBatches } from '@weir/messaging';

/** Batches of a source are in the order of their intake, but for this: several gateways take them, and several filters pass them on. */
const DISORDER_MS = 30_000;

interface Source {
  workspaceId: string;
  sourceId: string;
}

/** Knows what waits to be archived. */
@Injectable()
export class ArchiveLag {
  private manager: Promise<JetStreamManager> | undefined;

  constructor(@Inject(NATS) private readonly nats: NatsConnection) {}

  /** Whether accepted events of the source that came in before this time may be missing in the archive. Rejects without the broker. */
  async isBehind(source: Source, time: Date): Promise<boolean> {
    this.manager ??= jetstreamManager(this.nats, { checkAPI: false });
    const manager = await this.manager;
    const archivers = await archiversOf(manager);
    if (archivers.size < PARTITIONS) return true; // a consumer that is to be made anew tells nothing
    for (const [partition, info] of archivers) {
      if (waitingFor(info) === 0) continue;
      for (const subject of subjectsOf(source, partition)) {
        const intake = await firstIntake(manager, subject, info.ack_floor.stream_seq);
        if (intake !== undefined && intake < time.getTime() + DISORDER_MS) return true;
      }
    }
    return false;
  }
}

/** The archiver's consumers by partition. There are none without an archive. */
export async function archiversOf({ consumers }: JetStreamManager): Promise<Map<number, ConsumerInfo>> {
  const found = new Map<string, ConsumerInfo>();
  for await (const info of consumers.list(EVENTS_ACCEPTED)) found.set(info.name, info);
  const partitions = Array.from({ length: PARTITIONS }, (_, partition) => partition);
  return new Map(
    partitions.flatMap((partition) => {
      const info = found.get(partitionConsumer('archiver', partition));
      return info ? [[partition, info] as const] : [];
    }),
  );
}

/** Messages that a consumer has not acknowledged. */
export const waitingFor = ({ num_pending, num_ack_pending }: ConsumerInfo): number => num_pending + num_ack_pending;

/** With the size of the message, and without it, as the release before wrote them. */
const subjectsOf = ({ workspaceId, sourceId }: Source, partition: number): string[] =>
  ['*.', ''].map((size) => `events.accepted.${partition}.${size}${workspaceId}.${sourceId}`);

/** When the first message after a sequence came in, in milliseconds. Undefined if there is none. */
async function firstIntake(manager: JetStreamManager, subject: string, after: number): Promise<number | undefined> {
  const found = await manager.streams.getMessage(EVENTS_ACCEPTED, nextOf(subject, after));
  if (!found) return undefined;
  const [data = found.data] = unpackBatches(found.data);
  const batch = readBatch({ json: () => jsonOf(data) });
  return isBatch(batch) ? Date.parse(batch.receivedAt) : found.time.getTime();
}

/** The library knows this request for direct reads only. */
const nextOf = (subject: string, after: number) => ({ seq: after + 1, next_by_subj: subject }) as MsgRequest;
