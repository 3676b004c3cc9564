import { setTimeout as sleep } from 'node:timers/promises';
import type { launchStack } from '@weir/local';
import { api, type RecordingServer, until } from '@weir/testing';
import { BROKER_FAULTS, type BrokerFault, causeBrokerFault } from './broker-faults.js';
import { judge, type Verdict } from './history.js';
import { randomOf, shuffled } from './random.js';
import type { Taps } from './taps.js';
import { type Load, Users } from './users.js';

export type Stack = Awaited<ReturnType<typeof launchStack>>;

/**
 * The processes on the way of an event. A broker alone is no victim: old versions forget messages (deploy/README.md, Durability).
 * The servers of a cluster are (`broker-faults.ts`).
 */
const VICTIMS = [
  'delivery-service.deliverer',
  'schema-service.collector',
  'regulation-service.filter',
  'gateway.main',
  'code-sandbox.main',
  'postgres',
] as const;
type Victim = (typeof VICTIMS)[number];

/** Processes that own partitions or destinations. A busy machine may starve one for longer than a pull lasts. */
const OWNERS = ['delivery-service.deliverer', 'schema-service.collector', 'regulation-service.filter'] as const;
type Owner = (typeof OWNERS)[number];

const GAP_MS = 3_000;
/** Bounds of a pause. Long enough to miss the end of a pull, mostly too short to lose a lease. */
const PAUSE_MS_MIN = 500;
const PAUSE_MS_MAX = 2_800;
/** Longest wait for everything to arrive. A killed owner's messages wait for leases and acknowledgements. */
const SETTLE_MS = 90_000;
const CODE = 'export function transformEvent(event) { event.passed = true; return event; }';

type Fault = Victim | BrokerFault;
/** The faults that a stack can have. */
export const faultsOf = (brokers: number): Fault[] => [...VICTIMS, ...(brokers > 1 ? BROKER_FAULTS : [])];

export interface Plan {
  faults: { fault: Fault; afterMs: number }[];
  /** Played beside the kills, with SIGSTOP and SIGCONT. */
  pauses: { owner: Owner; afterMs: number; forMs: number }[];
  load: Load;
  /** How long the destination takes to answer, in milliseconds. */
  answerMs: number;
}

/** The decisions of the seed: the order of the faults, instants and load. */
export function planOf(seed: number, faults: readonly Fault[]): Plan {
  const random = randomOf(seed);
  const order = shuffled(faults, random);
  const pauses = [...shuffled(OWNERS, random), ...shuffled(OWNERS, random)];
  return {
    faults: order.map((fault) => ({ fault, afterMs: Math.round(GAP_MS * (0.5 + random())) })),
    pauses: pauses.map((owner) => ({
      owner,
      afterMs: Math.round(random() * GAP_MS),
      forMs: Math.round(PAUSE_MS_MIN + random() * (PAUSE_MS_MAX - PAUSE_MS_MIN)),
    })),
    load: { users: 20, pauseMs: Math.round(random() * 60) },
    answerMs: Math.round(random() * 20),
  };
}

export interface Round extends Verdict {
  sent: number;
  counted: number;
  /** The verdict on the order in which events passed each stream. */
  stages: Record<'raw' | 'accepted' | 'queued', number>;
  /** The faults that were made, each with its time on the clock of the senders. */
  faults: string[];
}

export interface Scene {
  stack: Stack;
  hook: RecordingServer;
  taps: Taps;
  /** Those that the seed puts in order. */
  faults: readonly Fault[];
}

/** Plays one seed: load, faults, and what the destination and the counts say afterwards. */
export async function play({ stack, hook, taps, faults }: Scene, seed: number): Promise<Round> {
  const { faults: planned, pauses, load, answerMs } = planOf(seed, faults);
  hook.answer({ delayMs: answerMs });
  const writeKey = await connected(stack, hook, `chaos ${seed}`);
  hook.clear();
  taps.clear();
  const users = new Users(stack.address, writeKey);
  users.start(load);
  const done: string[] = [];
  await Promise.all([causeAll(stack, planned, randomOf(seed), done), pauseAll(stack, pauses, done)]);
  await sleep(GAP_MS);
  await users.stop();
  const { sent } = users;
  const arrived = () => hook.requests.map(({ json }) => (json as { messageId: string }).messageId);
  const isComplete = () => new Set(arrived()).size >= sent.length;
  await until('every event to arrive', isComplete, SETTLE_MS).catch(() => undefined);
  const counted = () => countOf(stack, writeKey);
  await until('every event to be counted', async () => (await counted()) === sent.length, SETTLE_MS).catch(() => 0);
  const overtakenIn = (ids: readonly string[]) => judge(sent, ids).overtaken.length;
  return {
    ...judge(sent, arrived()),
    sent: sent.length,
    counted: await counted(),
    stages: {
      raw: overtakenIn(taps.passed('raw')),
      accepted: overtakenIn(taps.passed('accepted')),
      queued: overtakenIn(taps.passed('queued')),
    },
    faults: done,
  };
}

async function causeAll(stack: Stack, faults: Plan['faults'], random: () => number, done: string[]): Promise<void> {
  for (const { fault, afterMs } of faults) {
    await sleep(afterMs);
    const at = Math.round(performance.now());
    done.push(`${await cause(stack, fault, random)} at ${at}`);
  }
}

async function cause(stack: Stack, fault: Fault, random: () => number): Promise<string> {
  if (isBrokerFault(fault)) return causeBrokerFault(stack, fault, random);
  await stack.untilReady(fault);
  stack.kill(fault);
  return `${fault} killed`;
}

const isBrokerFault = (fault: Fault): fault is BrokerFault => (BROKER_FAULTS as string[]).includes(fault);

async function pauseAll(stack: Stack, pauses: Plan['pauses'], done: string[]): Promise<void> {
  for (const { owner, afterMs, forMs } of pauses) {
    await sleep(afterMs);
    if (!signalled(stack, owner, 'SIGSTOP')) continue;
    done.push(`${owner} paused at ${Math.round(performance.now())} for ${forMs}`);
    await sleep(forMs);
    signalled(stack, owner, 'SIGCONT');
  }
}

/** Returns false if the process is down, because it was killed in the meantime. */
function signalled(stack: Stack, owner: Owner, signal: 'SIGSTOP' | 'SIGCONT'): boolean {
  try {
    stack.signal(owner, signal);
    return true;
  } catch {
    return false;
  }
}

/** A source that sends to the webhook through code. Resolves when one event has passed. */
async function connected({ address }: Stack, hook: RecordingServer, name: string): Promise<string> {
  const client = api(address);
  const { source } = (await client.post('/v2/sources', { name, type: 'HTTP', enabled: true })).body;
  const config = { webhookUrl: `${hook.url}/hook` };
  const { destination } = (await client.post('/v2/destinations', { name, type: 'WEBHOOK', enabled: true, config }))
    .body;
  await client.post('/v2/connections', { sourceId: source.id, destinationId: destination.id, enabled: true });
  await client.post('/transformations?publish=true', { name, code: CODE, destinationIds: [destination.id] });
  const intake = api(address, { writeKey: source.writeKey });
  await intake.post('/v1/track', { userId: 'probe', event: 'Probe', messageId: `${name} probe` });
  const isProbe = ({ json }: { json: unknown }) => (json as { messageId: string }).messageId === `${name} probe`;
  await until('the probe to arrive', () => hook.requests.some(isProbe), SETTLE_MS);
  return source.writeKey as string;
}

async function countOf({ address }: Stack, writeKey: string): Promise<number> {
  const query = { WriteKey: writeKey };
  const { body } = await api(address, 'admin').get('/schemas/event-models', { query });
  const models = body as { EventIdentifier: string; TotalCount: number }[];
  return models.find(({ EventIdentifier }) => EventIdentifier === 'Ordered')?.TotalCount ?? 0;
}
