import {
  AckPolicy,
  type ConsumerConfig,
  DeliverPolicy,
  DiscardPolicy,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { PARTITIONS } from '@weir/contracts';
import {
  ACK_WAIT_MS,
  ARCHIVER_ACK_PENDING_MAX,
  DELIVERIES,
  DELIVERIES_PER_DESTINATION_MAX,
  EVENTS_ACCEPTED,
  EVENTS_RAW,
  MAX_ACK_PENDING,
  partitionConsumer,
  STREAM_OF,
  type StreamRole,
} from './streams.js';

/** Within this time a publisher's retry is recognised by its message id. */
const DUPLICATE_WINDOW_MS = 120_000;
export type Stream = Partial<StreamConfig> & Pick<StreamConfig, 'name'>;
/** The wanted configuration of a durable consumer. The broker's defaults apply to everything else. */
export type Consumer = Partial<ConsumerConfig> & { durable_name: string };

/** The wanted configuration of each stream. The operator chooses size and copies. */
export const STREAMS: readonly Stream[] = [
  stream(EVENTS_RAW, 'events.raw.>', RetentionPolicy.Workqueue),
  stream(EVENTS_ACCEPTED, 'events.accepted.>', RetentionPolicy.Interest),
  stream(DELIVERIES, 'deliveries.>', RetentionPolicy.Workqueue, {
    max_msgs_per_subject: DELIVERIES_PER_DESTINATION_MAX,
    discard_new_per_subject: true,
  }),
];

function stream(name: string, subject: string, retention: RetentionPolicy, extra: Partial<StreamConfig> = {}): Stream {
  const kept = { storage: StorageType.File, discard: DiscardPolicy.New, duplicate_window: nanos(DUPLICATE_WINDOW_MS) };
  return { name, subjects: [subject], retention, ...kept, ...extra };
}

/** The durable consumer of each partition of a role. */
export function consumersOf(role: StreamRole): Consumer[] {
  const stage = role === 'filter' ? 'raw' : 'accepted';
  return Array.from({ length: PARTITIONS }, (_, partition) =>
    durable({
      durable_name: partitionConsumer(role, partition),
      filter_subject: `events.${stage}.${partition}.>`,
      ...(role === 'archiver' && { max_ack_pending: ARCHIVER_ACK_PENDING_MAX }),
    }),
  );
}

/** A pull consumer with explicit acknowledgement and unlimited redelivery of everything that the stream holds. */
export const durable = (config: Consumer): Consumer => ({
  ack_policy: AckPolicy.Explicit,
  deliver_policy: DeliverPolicy.All,
  ack_wait: nanos(ACK_WAIT_MS),
  max_ack_pending: MAX_ACK_PENDING,
  max_deliver: -1,
  ...config,
});

/**
 * The migration step notes in the description of the stream whether there is an archive, because old brokers have no metadata. An
 * archiver that still runs when it is turned off would otherwise recreate its consumers, and everything would wait for them.
 */
const ARCHIVE_ON = 'archive: on';
const ARCHIVE_OFF = 'archive: off';

/** Changes nothing where there never was an archive. */
export async function markArchive(manager: JetStreamManager, isOn: boolean): Promise<void> {
  if ((await isRoleOn(manager, 'archiver')) === isOn) return;
  await manager.streams.update(STREAM_OF.archiver, { description: isOn ? ARCHIVE_ON : ARCHIVE_OFF });
}

/** Whether the consumers of a role may be recreated. */
export async function isRoleOn({ streams }: JetStreamManager, role: StreamRole): Promise<boolean> {
  if (role !== 'archiver') return true;
  return (await streams.info(STREAM_OF.archiver)).config.description === ARCHIVE_ON;
}

/** A difference between the broker and the code. */
export interface TopologyFault {
  stream: string;
  /** Absent when the fault concerns the stream itself. */
  consumer?: string;
  problem: 'is missing' | 'differs from what the code needs';
}

export const describe = ({ stream, consumer, problem }: TopologyFault): string =>
  consumer ? `consumer ${consumer} of ${stream} ${problem}` : `stream ${stream} ${problem}`;

/** Compares the broker with the code. Rejects while the broker does not answer. */
export async function topologyFaults(
  manager: JetStreamManager,
  { streams, roles }: { streams: readonly string[]; roles: readonly StreamRole[] },
): Promise<TopologyFault[]> {
  const ofStreams = await Promise.all(streams.map((name) => streamFaults(manager, name)));
  const missing = new Set(
    ofStreams.flat().flatMap(({ stream, problem }) => (problem === 'is missing' ? [stream] : [])),
  );
  const readable = [...new Set(roles.map((role) => STREAM_OF[role]))].filter((name) => !missing.has(name));
  const actual = new Map(
    await Promise.all(readable.map(async (name) => [name, await consumersIn(manager, name)] as const)),
  );
  return [...ofStreams.flat(), ...roles.flatMap((role) => consumerFaults(role, actual.get(STREAM_OF[role])))];
}

async function streamFaults(manager: JetStreamManager, name: string): Promise<TopologyFault[]> {
  const found = await orMissing(manager.streams.info(name));
  if (!found) return [{ stream: name, problem: 'is missing' }];
  const wanted = STREAMS.find((one) => one.name === name) ?? { name };
  return holds(wanted, found.config) ? [] : [{ stream: name, problem: 'differs from what the code needs' }];
}

/** Reports nothing for a missing stream, because that fault is already known. */
function consumerFaults(role: StreamRole, actual: Map<string, ConsumerConfig> | undefined): TopologyFault[] {
  if (!actual) return [];
  return consumersOf(role).flatMap((wanted): TopologyFault[] => {
    const of = { stream: STREAM_OF[role], consumer: wanted.durable_name };
    const found = actual.get(wanted.durable_name);
    if (!found) return [{ ...of, problem: 'is missing' }];
    return holds(wanted, found) ? [] : [{ ...of, problem: 'differs from what the code needs' }];
  });
}

/** The servers of a cluster answer for the consumers that they lead. One that is slow is left out of the list. */
export class PartialAnswer extends Error {}

export async function consumersIn(manager: JetStreamManager, stream: string): Promise<Map<string, ConsumerConfig>> {
  const configs = new Map<string, ConsumerConfig>();
  for await (const { name, config } of manager.consumers.list(stream)) configs.set(name, config);
  const { state } = await manager.streams.info(stream);
  if (configs.size < state.consumer_count)
    throw new PartialAnswer(`the broker listed ${configs.size} of ${state.consumer_count} consumers of ${stream}`);
  return configs;
}

export async function orMissing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if ((error as { status?: unknown }).status === 404) return undefined;
    throw error;
  }
}

/** Whether every wanted setting has its value. Ignores other settings. The broker leaves out values that are false. */
export const holds = (wanted: object, actual: object): boolean =>
  Object.entries(wanted).every(([key, value]) => {
    const found = (actual as Record<string, unknown>)[key] ?? false;
    return JSON.stringify(found) === JSON.stringify(value);
  });
