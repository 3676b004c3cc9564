import { setTimeout as sleep } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { launchStack } from '@weir/local';
import { until } from '@weir/testing';
import { brokerOf } from '../bench/broker.js';

type Stack = Awaited<ReturnType<typeof launchStack>>;

export const BROKERS = 3;
const STREAMS = ['EVENTS_RAW', 'EVENTS_ACCEPTED', 'DELIVERIES'];
/** Longer than the election of a leader. Callers wait that long before they hear that nothing can be stored. */
const OUTAGE_MS = 6_000;
const ANSWER_MS = 5_000;

/** Faults of a cluster of three servers. Each ends with all servers running, and says what it did. */
const FAULTS = {
  'a broker killed': async (stack, random) => kill(stack, Math.floor(random() * BROKERS)),
  'the leader of a stream killed': async (stack, random) => kill(stack, await leaderOf(stack, anyStream(random))),
  'the leader of a stream moved': async (stack, random) => moveLeader(stack, anyStream(random)),
  'the leader of a stream paused': async (stack, random) => pause(stack, [await leaderOf(stack, anyStream(random))]),
  'two of three brokers paused': async (stack, random) => pause(stack, others(Math.floor(random() * BROKERS))),
  'the brokers restarted in turn': async (stack) => restartAll(stack),
} satisfies Record<string, (stack: Stack, random: () => number) => Promise<string>>;

export type BrokerFault = keyof typeof FAULTS;
export const BROKER_FAULTS = Object.keys(FAULTS) as BrokerFault[];

export const causeBrokerFault = (stack: Stack, fault: BrokerFault, random: () => number): Promise<string> =>
  FAULTS[fault](stack, random);

const anyStream = (random: () => number) => STREAMS[Math.floor(random() * STREAMS.length)] ?? '';
const others = (one: number) => Array.from({ length: BROKERS }, (_, n) => n).filter((n) => n !== one);

async function kill(stack: Stack, broker: number): Promise<string> {
  stack.kill('nats-server', broker);
  await stack.untilReady('nats-server', broker);
  return `broker ${broker + 1} killed`;
}

async function pause(stack: Stack, brokers: readonly number[]): Promise<string> {
  for (const broker of brokers) stack.signal('nats-server', 'SIGSTOP', broker);
  await sleep(OUTAGE_MS);
  for (const broker of brokers) stack.signal('nats-server', 'SIGCONT', broker);
  return `brokers ${brokers.map((broker) => broker + 1).join(' and ')} paused for ${OUTAGE_MS} ms`;
}

async function restartAll(stack: Stack): Promise<string> {
  for (let broker = 0; broker < BROKERS; broker += 1) {
    await stack.hold('nats-server', broker);
    await stack.resume('nats-server', broker);
  }
  return 'every broker restarted in turn';
}

async function moveLeader(stack: Stack, stream: string): Promise<string> {
  const nats = await brokerOf(stack.address.natsUrl);
  try {
    await leaderIn(nats, stream);
    await nats.request(`$JS.API.STREAM.LEADER.STEPDOWN.${stream}`, undefined, { timeout: ANSWER_MS });
  } catch {
    return `the leader of ${stream} asked to move, without an answer`;
  } finally {
    await nats.close();
  }
  return `the leader of ${stream} moved`;
}

/** Place of the server that leads a stream. Servers are named after their programs: `nats-server`, `nats-server-2`. */
async function leaderOf(stack: Stack, stream: string): Promise<number> {
  const nats = await brokerOf(stack.address.natsUrl);
  try {
    return Number((await leaderIn(nats, stream)).match(/-(\d)$/)?.[1] ?? 1) - 1;
  } finally {
    await nats.close();
  }
}

/** Waits for a leader. The fault before may have taken it. */
async function leaderIn(nats: NatsConnection, stream: string): Promise<string> {
  const { streams } = await jetstreamManager(nats, { timeout: ANSWER_MS, checkAPI: false });
  let leader: string | undefined;
  await until(`a leader of ${stream}`, async () => {
    const info = await streams.info(stream).catch(() => undefined);
    leader = info?.cluster?.leader;
    return leader !== undefined;
  });
  return leader ?? '';
}
