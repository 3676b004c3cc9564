import { type ConsumerInfo, type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { AppError, PARTITIONS } from '@weir/contracts';
import { EVENTS_ACCEPTED, EVENTS_RAW, partitionConsumer, type StreamRole } from '@weir/messaging';
import type { ConsumerView, StreamView } from './barrier.rules.js';

/** Reads the ends of the event streams and how far their consumers have come. */
export async function readPositions(nats: NatsConnection): Promise<{ raw: StreamView; accepted: StreamView }> {
  const manager = await jetstreamManager(nats);
  // Reads the raw stream first. Every message that its filter had passed on by then lies before the end of the other stream.
  const raw = await viewOf(manager, EVENTS_RAW, ['filter']);
  return { raw, accepted: await viewOf(manager, EVENTS_ACCEPTED, ['collector', 'deliverer']) };
}

async function viewOf(manager: JetStreamManager, stream: string, roles: StreamRole[]): Promise<StreamView> {
  const { state } = await manager.streams.info(stream);
  const infos = new Map<string, ConsumerInfo>();
  for await (const info of manager.consumers.list(stream)) infos.set(info.name, info);
  const names = roles.flatMap((role) =>
    Array.from({ length: PARTITIONS }, (_, partition) => partitionConsumer(role, partition)),
  );
  return { last: state.last_seq, consumers: names.map((name) => consumerView(name, infos.get(name))) };
}

/** A missing consumer has read nothing, so it cannot count as done. */
function consumerView(name: string, info: ConsumerInfo | undefined): ConsumerView {
  if (!info) throw new AppError('unavailable', `The consumer ${name} is missing: run the migrations`);
  return { ackFloor: info.ack_floor.stream_seq, isIdle: info.num_pending === 0 && info.num_ack_pending === 0 };
}
