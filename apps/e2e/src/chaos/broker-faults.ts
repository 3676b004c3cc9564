import { setTimeout as sleep } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { LocalStack } from '@weir/local';
import { until } from '@weir/testing';
import { brokerOf } from '../bench/broker.js';
import { LONG, lengthOf, SHORT } from './pauses.js';

export const BROKERS = 3;
const STREAMS = ['EVENTS_RAW', 'EVENTS_ACCEPTED', 'DELIVERIES'];
/** Longer than the election of a leader. Callers wait that long before they hear that nothing can be stored. */
const OUTAGE_MS = 6_000;
const ANSWER_MS = 5_000;

/** Faults of a cluster of three servers. Each ends with all servers running, and says what it did. */
const FAULTS = {
  'a broker paused': async (stack, random) => pause(stack, [anyBroker(random)], lengthOf(SHORT, random)),
  'a broker paused for long': async (stack, random) => pause(stack, [anyBroker(random)], lengthOf(LONG, random)),
  'a broker killed': async (stack, random) => kill(stack, [anyBroker(random)]),
  'the leader of a stream killed': async (stack, random) => kill(stack, [await leaderOf(stack, anyStream(random))]),
  'the leader of a stream moved': async (stack, random) => moveLeader(stack, anyStream(random)),
  'the leader of a consumer moved': async (stack, random) => moveConsumer(stack, anyStream(random), random),
  'the leader of a stream paused': async (stack, random) => pause(stack, [await leaderOf(stack, anyStream(random))]),
  'two of three brokers paused': async (stack, random) => pause(stack, others(anyBroker(random))),
  'two of three brokers killed': async (stack, random) => kill(stack, others(anyBroker(random))),
  'two of three brokers stopped and back': async (stack, random) => stop(stack, others(anyBroker(random))),
  'the brokers restarted in turn': async (stack) => restartAll(stack),
} satisfies Record<string, (stack: LocalStack, random: () => number) => Promise<string>>;

export type BrokerFault = keyof typeof FAULTS;
export const BROKER_FAULTS = Object.keys(FAULTS) as BrokerFault[];

export const causeBrokerFault = (stack: LocalStack, fault: BrokerFault, random: () => number): Promise<string> =>
  FAULTS[fault](stack, random);

const anyBroker = (random: () => number) => Math.floor(random() * BROKERS);
const anyStream = (random: () => number) => STREAMS[Math.floor(random() * STREAMS.length)] ?? '';
const others = (one: number) => Array.from({ length: BROKERS }, (_, n) => n).filter((n) => n !== one);

async function kill(stack: LocalStack, brokers: readonly number[]): Promise<string> {
  for (const broker of brokers) stack.kill('nats-server', broker);
  await Promise.all(brokers.map((broker) => stack.untilReady('nats-server', broker)));
  return `${namesOf(brokers)} killed`;
}

async function pause(stack: LocalStack, brokers: readonly number[], forMs = OUTAGE_MS): Promise<string> {
  for (const broker of brokers) stack.signal('nats-server', 'SIGSTOP', broker);
  await sleep(forMs);
  for (const broker of brokers) stack.signal('nats-server', 'SIGCONT', broker);
  return `${namesOf(brokers)} paused for ${forMs} ms`;
}

async function stop(stack: LocalStack, brokers: readonly number[]): Promise<string> {
  await Promise.all(brokers.map((broker) => stack.hold('nats-server', broker)));
  await sleep(OUTAGE_MS);
  await Promise.all(brokers.map((broker) => stack.resume('nats-server', broker)));
  return `${namesOf(brokers)} stopped for ${OUTAGE_MS} ms`;
}

const namesOf = (brokers: readonly number[]) =>
  `broker${brokers.length > 1 ? 's' : ''} ${brokers.map((broker) => broker + 1).join(' and ')}`;

async function restartAll(stack: LocalStack): Promise<string> {
  for (let broker = 0; broker < BROKERS; broker += 1) {
    await stack.hold('nats-server', broker);
    await stack.resume('nats-server', broker);
  }
  return 'every broker restarted in turn';
}

async function moveLeader(stack: LocalStack, stream: string): Promise<string> {
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

async function moveConsumer(stack: LocalStack, stream: string, random: () => number): Promise<string> {
  const nats = await brokerOf(stack.address.natsUrl);
  const { consumers } = await jetstreamManager(nats, { timeout: ANSWER_MS, checkAPI: false });
  const names: string[] = [];
  try {
    for await (const { name } of consumers.list(stream)) names.push(name);
    const name = names.sort()[Math.floor(random() * names.length)];
    await nats.request(`$JS.API.CONSUMER.LEADER.STEPDOWN.${stream}.${name}`, undefined, { timeout: ANSWER_MS });
    return `the leader of consumer ${name} moved`;
  } catch {
    return `the leader of a consumer of ${stream} asked to move, without an answer`;
  } finally {
    await nats.close();
  }
}

/** Place of the server that leads a stream. Servers are named after their programs: `nats-server`, `nats-server-2`. */
async function leaderOf(stack: LocalStack, stream: string): Promise<number> {
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
