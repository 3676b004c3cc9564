import { setTimeout as sleep } from 'node:timers/promises';
import { JetStreamApiError, type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { type NatsConnection, NoRespondersError, TimeoutError } from '@nats-io/transport-node';
import { INVENTORY_BUCKET, isBrokerAtLeast, isBrokerReliable, RELIABLE_CLUSTER } from '@weir/contracts';
import { STREAM_OF, type StreamRole } from './streams.js';
import {
  consumersIn,
  consumersOf,
  describe,
  holds,
  markArchive,
  orMissing,
  PartialAnswer,
  STREAMS,
  type Stream,
  topologyFaults,
} from './topology.js';

/** The broker creates streams on disk, and a busy machine takes its time. A cluster may never answer a request that it lost. */
const ANSWER_TIMEOUT_MS = 20_000;
/** A cluster that starts has no leader for some seconds. No caller of a migration waits for less than this. */
const PATIENCE_MS = 90_000;
const RETRY_MS = 500;
/** A gigabyte holds hours of traffic of a small installation while a consumer is away. */
export const STREAM_BYTES_MAX_DEFAULT = 1_073_741_824;

export interface TopologyOptions {
  /** Copies of every stream. Use three in a cluster. */
  replicas?: number;
  /** Maximum bytes per stream. Beyond it, publishing fails and callers get 503. */
  streamBytesMax?: number;
  /** Whether accepted events are archived. Without it, the consumers of an archive are removed, so that nothing waits for them. */
  archive?: boolean;
}

/**
 * Creates or updates every stream, every partition's consumer and the inventory bucket, and verifies them on the broker.
 * Idempotent. Runs in the migration step, before any process, because a stream with interest retention drops messages that no
 * consumer wants. Starts over while the broker does not answer. Throws an error that names what is still wrong. Refuses a cluster of
 * servers that lose messages.
 */
export async function ensureTopology(nats: NatsConnection, options: TopologyOptions = {}): Promise<void> {
  assertReliable(nats, options);
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await makeTopology(nats, options);
    } catch (error) {
      if (!isPassing(error) || performance.now() > end) throw error;
      await sleep(RETRY_MS);
    }
  }
}

/** Copies promise that no accepted event is lost. A single server may be old, and `weir doctor` tells of it. */
function assertReliable({ info }: NatsConnection, { replicas = 1 }: TopologyOptions): void {
  if (replicas === 1 || !info || isBrokerReliable(info)) return;
  throw new Error(
    `a cluster of NATS ${info.version} loses accepted events when its leaders change: run ${RELIABLE_CLUSTER.join('.')} or later`,
  );
}

async function makeTopology(nats: NatsConnection, options: TopologyOptions): Promise<void> {
  const { replicas = 1, streamBytesMax = STREAM_BYTES_MAX_DEFAULT, archive = false } = options;
  const manager = await jetstreamManager(nats, { timeout: ANSWER_TIMEOUT_MS, checkAPI: false });
  for (const config of STREAMS) {
    await ensureStream(manager, { ...config, max_bytes: streamBytesMax, num_replicas: replicas }, firstSequence(nats));
  }
  await markArchive(manager, archive); // before the consumers go, so that no archiver makes them anew
  const roles = (Object.keys(STREAM_OF) as StreamRole[]).filter((role) => archive || role !== 'archiver');
  if (!archive) await removeConsumers(manager, 'archiver');
  await Promise.all(roles.map((role) => mendConsumers(manager, role)));
  await new Kvm(jetstream(nats, { timeout: ANSWER_TIMEOUT_MS })).create(INVENTORY_BUCKET, { history: 1, replicas });
  const faults = await topologyFaults(manager, { streams: STREAMS.map(({ name }) => name), roles });
  if (faults.length > 0)
    throw new Error(`the broker does not have what Weir needs: ${faults.map(describe).join('; ')}`);
}

/**
 * The first sequence of a stream that is made now: above all sequences of an earlier stream of its name. So a late acknowledgement
 * or a late removal finds nothing in the new stream.
 */
function firstSequence({ info }: NatsConnection): Pick<Stream, 'first_seq'> {
  const isPossible = info && isBrokerAtLeast(FIRST_SEQUENCE, info.version);
  return isPossible ? { first_seq: Date.now() * MESSAGES_PER_MS_MAX } : {};
}
/** The first version of the broker that lets a stream begin elsewhere than at 1. */
const FIRST_SEQUENCE = [2, 10];
/** No stream takes in more, and sequences stay exact as JavaScript's numbers for 200 years. */
const MESSAGES_PER_MS_MAX = 1_000;

/** Leaves a stream that is right alone. In a cluster, each change has to be agreed on. */
async function ensureStream(
  manager: JetStreamManager,
  config: Stream,
  first: Pick<Stream, 'first_seq'>,
): Promise<void> {
  const existing = await orMissing(manager.streams.info(config.name));
  if (existing && holds(config, existing.config)) return;
  const { streams } = manager;
  const changed = existing ? streams.update(config.name, config) : streams.add({ ...config, ...first });
  await changed.catch((cause: Error) => {
    throw new Error(`stream ${config.name} cannot be created or updated: ${cause.message}`, { cause });
  });
}

/** The broker's code for the name of a stream that another process has just created. */
const NAME_IN_USE = 10058;
/** The servers of a cluster that starts have not all met yet. A leader may be there before enough others for the copies. */
const NO_PEERS = 10_005;
const PASSING: readonly number[] = [NAME_IN_USE, NO_PEERS];

/** Whether a later try may succeed: no answer, no leader yet, half an answer, or another process at the same work. */
function isPassing(error: unknown): boolean {
  if (error instanceof TimeoutError || error instanceof NoRespondersError) return true;
  if (error instanceof PartialAnswer) return true;
  if (error instanceof JetStreamApiError) return error.status === 503 || PASSING.includes(error.code);
  return error instanceof Error && isPassing(error.cause);
}

/** Creates missing consumers and updates those that differ from the code. */
async function mendConsumers(manager: JetStreamManager, role: StreamRole): Promise<void> {
  const stream = STREAM_OF[role];
  const actual = await consumersIn(manager, stream);
  for (const wanted of consumersOf(role)) {
    const found = actual.get(wanted.durable_name);
    if (!found) await manager.consumers.add(stream, wanted);
    else if (!holds(wanted, found)) await manager.consumers.update(stream, wanted.durable_name, wanted);
  }
}

/** A stream with interest retention keeps what a consumer has not read, also if nobody reads for it any more. */
async function removeConsumers(manager: JetStreamManager, role: StreamRole): Promise<void> {
  const stream = STREAM_OF[role];
  const actual = await consumersIn(manager, stream);
  for (const { durable_name: name } of consumersOf(role))
    if (actual.has(name)) await orMissing(manager.consumers.delete(stream, name));
}
