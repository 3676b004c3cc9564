import {
  AckPolicy,
  type ConsumerConfig,
  DiscardPolicy,
  type JetStreamManager,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { type NatsConnection, nanos } from '@nats-io/transport-node';
import { INVENTORY_BUCKET, PARTITIONS } from '@weir/contracts';

/** Batches as the intake took them; a message leaves when the filter has acknowledged it. */
export const EVENTS_RAW = 'EVENTS_RAW';
/** Batches that may pass; a message leaves when collector and deliverer have both acknowledged it. */
export const EVENTS_ACCEPTED = 'EVENTS_ACCEPTED';
/** Batches on their way to one destination each. */
export const DELIVERIES = 'DELIVERIES';

export type StreamRole = 'filter' | 'collector' | 'deliverer';
export const STREAM_OF: Record<StreamRole, string> = {
  filter: EVENTS_RAW,
  collector: EVENTS_ACCEPTED,
  deliverer: EVENTS_ACCEPTED,
};

/**
 * A message that its holder does not report on for so long is handed out again. Holders report every third of it, so
 * this is how long the messages of a killed process wait.
 */
export const ACK_WAIT_MS = 5_000;
/** Messages of one partition that a role may hold; bounds its memory at this many times 1 MiB. */
export const MAX_ACK_PENDING = 256;
/** Batches that may wait for one destination: what is down for long must not fill the stream for the others. */
export const DELIVERIES_PER_DESTINATION_MAX = 10_000;
/** A publisher's retry within this time is recognised by its message id. */
const DUPLICATE_WINDOW_MS = 120_000;

/** A gigabyte holds hours of a small installation's traffic while a consumer is away. */
export const STREAM_BYTES_MAX_DEFAULT = 1_073_741_824;

export interface TopologyOptions {
  /** Copies of every stream; three in a cluster. */
  replicas?: number;
  /** Bytes that each stream may hold; beyond it publishers are refused and callers get 503. */
  streamBytesMax?: number;
}

/** The stream that a subject is of; the subject itself holds ids. */
export function streamNameOf(subject: string): string {
  if (subject.startsWith('events.raw.')) return EVENTS_RAW;
  return subject.startsWith('events.accepted.') ? EVENTS_ACCEPTED : DELIVERIES;
}

export const partitionConsumer = (role: StreamRole, partition: number) => `${role}-${partition}`;

/**
 * Creates or updates every stream, every partition's consumer and the inventory bucket. Idempotent. Runs in the migration
 * step, before any process: a stream with interest retention forgets what no consumer wants yet.
 */
export async function ensureTopology(nats: NatsConnection, options: TopologyOptions = {}): Promise<void> {
  const { replicas = 1, streamBytesMax = STREAM_BYTES_MAX_DEFAULT } = options;
  const manager = await jetstreamManager(nats);
  const stream = (name: string, subject: string, retention: RetentionPolicy, extra: Partial<StreamConfig> = {}) =>
    ensureStream(manager, {
      name,
      subjects: [subject],
      retention,
      storage: StorageType.File,
      discard: DiscardPolicy.New,
      max_bytes: streamBytesMax,
      num_replicas: replicas,
      duplicate_window: nanos(DUPLICATE_WINDOW_MS),
      ...extra,
    });
  await stream(EVENTS_RAW, 'events.raw.>', RetentionPolicy.Workqueue);
  await stream(EVENTS_ACCEPTED, 'events.accepted.>', RetentionPolicy.Interest);
  await stream(DELIVERIES, 'deliveries.>', RetentionPolicy.Workqueue, {
    max_msgs_per_subject: DELIVERIES_PER_DESTINATION_MAX,
    discard_new_per_subject: true,
  });
  await Promise.all((['filter', 'collector', 'deliverer'] as const).map((role) => ensureConsumers(manager, role)));
  await new Kvm(nats).create(INVENTORY_BUCKET, { history: 1, replicas });
}

/** Another process may create the same stream at the same moment; what it created is then brought up to date. */
async function ensureStream(
  manager: JetStreamManager,
  config: Partial<StreamConfig> & { name: string },
): Promise<void> {
  const existing = await manager.streams.info(config.name).catch(() => undefined);
  if (!existing) {
    const created = await manager.streams.add(config).catch(() => undefined);
    if (created) return;
  }
  await manager.streams.update(config.name, config);
}

async function ensureConsumers(manager: JetStreamManager, role: StreamRole): Promise<void> {
  const kind = role === 'filter' ? 'raw' : 'accepted';
  for (let partition = 0; partition < PARTITIONS; partition += 1) {
    await ensureConsumer(manager, STREAM_OF[role], {
      durable_name: partitionConsumer(role, partition),
      filter_subject: `events.${kind}.${partition}.>`,
    });
  }
}

/** Creates a durable pull consumer with explicit acknowledgement and unlimited redelivery, or leaves it as it is. */
export async function ensureConsumer(
  manager: JetStreamManager,
  stream: string,
  config: Pick<ConsumerConfig, 'durable_name' | 'filter_subject'> & Partial<ConsumerConfig>,
): Promise<void> {
  await manager.consumers.add(stream, {
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(ACK_WAIT_MS),
    max_ack_pending: MAX_ACK_PENDING,
    max_deliver: -1,
    ...config,
  });
}
