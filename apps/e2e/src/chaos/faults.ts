import { setTimeout as sleep } from 'node:timers/promises';
import type { launchStack } from '@weir/local';
import type { Reply } from '@weir/testing';
import { BROKER_FAULTS, BROKERS, type BrokerFault, causeBrokerFault } from './broker-faults.js';
import { CLOCK_FAULTS, type Clocks, causeClockFault } from './clocks.js';
import { causeDiskFault, DISK_FAULTS, type Disks } from './disks.js';
import type { Links } from './links.js';
import { causeNetworkFault, networkFaults } from './network-faults.js';
import type { Sink } from './sink.js';

export type Stack = Awaited<ReturnType<typeof launchStack>>;

/** The system that faults act on. */
export interface Target {
  stack: Stack;
  sink: Sink;
  links: Links;
  /** Absent without libfaketime. */
  clocks?: Clocks | undefined;
  /** Absent where no file system can be mounted. */
  disks?: Disks | undefined;
}

/**
 * The processes on the way of an event, and those that answer for regulations, code and statistics. A broker alone is not a victim: old
 * versions forget messages (deploy/README.md, Durability). The servers of a cluster are (`broker-faults.ts`).
 */
const VICTIMS = [
  'delivery-service.deliverer',
  'schema-service.collector',
  'regulation-service.filter',
  'regulation-service.main',
  'regulation-service.eraser',
  'transformation-registry.main',
  'gateway.main',
  'code-sandbox.main',
  'postgres',
] as const;

/** Longer than every lease, so that others take over meanwhile, and longer than a send may last. */
const LONG_PAUSE_MS = 16_000;
const SHORT_PAUSE_MS = 2_500;
const PAUSED = [
  'delivery-service.deliverer',
  'schema-service.collector',
  'regulation-service.filter',
  'regulation-service.main',
  'transformation-registry.main',
  'postgres',
] as const;

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
  ...Object.fromEntries(PAUSED.map((victim) => [`pause ${victim}`, pause(victim, SHORT_PAUSE_MS)])),
  ...Object.fromEntries(PAUSED.map((victim) => [`long pause ${victim}`, pause(victim, LONG_PAUSE_MS)])),
  ...Object.fromEntries(Object.keys(MISBEHAVIOURS).map((how) => [`destination ${how}`, misbehave(how)])),
};

/** The names of the faults that a stack can have. */
export const faultsOf = (brokers: number): string[] => [
  ...Object.keys(FAULTS),
  ...networkFaults(brokers),
  ...CLOCK_FAULTS,
  ...DISK_FAULTS,
  ...(brokers > 1 ? BROKER_FAULTS : []),
];

/** Whether processes cannot reach each other during the fault, although they run. */
export const separates = (fault: string): boolean =>
  [...networkFaults(BROKERS), ...BROKER_FAULTS].some((name) => name === fault);

export async function cause(target: Target, fault: string, random: () => number): Promise<string> {
  const { stack, links, clocks, disks } = target;
  if (FAULTS[fault]) return FAULTS[fault](target, random);
  if (CLOCK_FAULTS.includes(fault)) return causeClockFault(clocks, fault, random);
  if (DISK_FAULTS.includes(fault)) return causeDiskFault(disks, fault);
  const said = await causeNetworkFault(links, fault, random);
  return said ?? causeBrokerFault(stack, fault as BrokerFault, random);
}

function kill(victim: (typeof VICTIMS)[number]): Cause {
  return async ({ stack }) => {
    await stack.untilReady(victim);
    stack.kill(victim);
    return `${victim} killed`;
  };
}

function pause(victim: (typeof PAUSED)[number], forMs: number): Cause {
  return async ({ stack }) => {
    await stack.untilReady(victim);
    stack.signal(victim, 'SIGSTOP');
    await sleep(forMs);
    stack.signal(victim, 'SIGCONT');
    return `${victim} paused for ${forMs} ms`;
  };
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
