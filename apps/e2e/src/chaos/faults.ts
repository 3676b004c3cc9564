import { setTimeout as sleep } from 'node:timers/promises';
import { PROCESSES } from '@weir/contracts';
import type { LocalStack } from '@weir/local';
import type { Reply } from '@weir/testing';
import { BROKER_FAULTS, BROKERS, type BrokerFault, causeBrokerFault } from './broker-faults.js';
import { CLOCK_FAULTS, type Clocks, causeClockFault } from './clocks.js';
import { causeDiskFault, DISK_FAULTS, type Disks } from './disks.js';
import type { Links } from './links.js';
import { causeNetworkFault, networkFaults } from './network-faults.js';
import { freeze, LONG, lengthOf, SHORT, type Span } from './pauses.js';
import type { Sink } from './sink.js';

/** The system that faults act on. */
export interface Target {
  stack: LocalStack;
  sink: Sink;
  links: Links;
  /** Absent without libfaketime. */
  clocks?: Clocks | undefined;
  /** Absent where no file system can be mounted. */
  disks?: Disks | undefined;
}

/** The servers of a cluster have faults of their own (`broker-faults.ts`). */
const SERVERS = ['postgres', 'nats-server'] as const;
const VICTIMS = [...PROCESSES, ...SERVERS];
type Victim = (typeof VICTIMS)[number];

/** How a destination misbehaves, each for a while. */
const MISBEHAVIOUR_MS = 4_000;
const MISBEHAVIOURS: Record<string, () => Reply> = {
  hangs: () => ({ hang: true }),
  flaps: flapping(),
  redirects: () => ({ status: 302, headers: { location: 'http://127.0.0.1:1/elsewhere' } }),
  lies: () => ({ status: 200, body: { error: 'not stored' } }),
  'answers late': () => ({ delayMs: 3_000 }),
  resets: () => ({ reset: 'within' }),
};

/** Each fault ends with everything running, and says what it did. */
type Cause = (target: Target, random: () => number) => Promise<string>;

const FAULTS: Record<string, Cause> = {
  ...Object.fromEntries(VICTIMS.map((victim) => [`kill ${victim}`, kill(victim)])),
  ...Object.fromEntries(VICTIMS.map((victim) => [`short pause ${victim}`, pause(victim, SHORT)])),
  ...Object.fromEntries(VICTIMS.map((victim) => [`long pause ${victim}`, pause(victim, LONG)])),
  ...Object.fromEntries(Object.keys(MISBEHAVIOURS).map((how) => [`destination ${how}`, misbehave(how)])),
};

/** The names of the faults that a stack can have. */
export const faultsOf = (brokers: number): string[] => [
  ...Object.keys(FAULTS).filter((fault) => brokers === 1 || !isOfBroker(fault)),
  ...networkFaults(brokers),
  ...CLOCK_FAULTS,
  ...DISK_FAULTS,
  ...(brokers > 1 ? BROKER_FAULTS : []),
];

const isOfBroker = (fault: string): boolean => fault.endsWith('nats-server');

/** Whether processes cannot reach each other during the fault, although they run. */
export const separates = (fault: string): boolean =>
  isOfBroker(fault) || [...networkFaults(BROKERS), ...BROKER_FAULTS].some((name) => name === fault);

export async function cause(target: Target, fault: string, random: () => number): Promise<string> {
  const { stack, links, clocks, disks } = target;
  if (FAULTS[fault]) return FAULTS[fault](target, random);
  if (CLOCK_FAULTS.includes(fault)) return causeClockFault(clocks, fault, random);
  if (DISK_FAULTS.includes(fault)) return causeDiskFault(disks, fault);
  const said = await causeNetworkFault(links, fault, random);
  return said ?? causeBrokerFault(stack, fault as BrokerFault, random);
}

function kill(victim: Victim): Cause {
  return async ({ stack }, random) => {
    const replica = anyReplica(stack, victim, random);
    await stack.untilReady(victim, replica);
    stack.kill(victim, replica);
    return `${victim} ${replica + 1} killed`;
  };
}

function pause(victim: Victim, span: Span): Cause {
  return async ({ stack }, random) => {
    const replica = anyReplica(stack, victim, random);
    const forMs = lengthOf(span, random);
    await stack.untilReady(victim, replica);
    const name = replica === 0 ? victim : `${victim}-${replica + 1}`;
    const pids = stack.programs().flatMap((program) => (program.name === name && program.pid ? [program.pid] : []));
    await freeze(pids, forMs);
    return `${victim} ${replica + 1} paused for ${forMs} ms`;
  };
}

/** The servers have one only. Each gateway stands for a set of processes. */
function anyReplica({ address }: LocalStack, victim: Victim, random: () => number): number {
  const replica = Math.floor(random() * address.urls.length);
  return SERVERS.some((server) => server === victim) ? 0 : replica;
}

function misbehave(how: string): Cause {
  return async ({ sink }) => {
    sink.behave(MISBEHAVIOURS[how] ?? (() => ({})));
    await sleep(MISBEHAVIOUR_MS);
    sink.behave(() => ({}));
    return `the destinations: ${how}, for ${MISBEHAVIOUR_MS} ms`;
  };
}

/** Takes every second event. */
function flapping(): () => Reply {
  let n = 0;
  return () => {
    n += 1;
    return n % 2 === 0 ? {} : { status: 503 };
  };
}
