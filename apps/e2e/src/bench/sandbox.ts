import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import type { NatsConnection } from '@nats-io/transport-node';
import { type LocalStack, launchStack, removeStack } from '@weir/local';
import { brokerOf } from './broker.js';
import { cpuSeconds } from './cpu.js';
import { percentile } from './load.js';
import { proportionalBytes } from './memory.js';
import { figure } from './report.js';
import { call, outputsOf, type Packet, packetOf } from './sandbox-client.js';
import { countedMasking, endless, identity, masking, rawMasking } from './sandbox-programs.js';

const REPEATS = 3;
const WORKSPACES = 50;
const VERSIONS = 10;
const MIXED_EVENTS = 20;
const MIXED_CALLS = 32;
const COLD_RUNS = 20;
const MIB = 1_048_576;
const SANDBOX = 'code-sandbox.main';
/** One of these children is never given to the workspace that has the others. */
const HEADLINE_CHILDREN = 3;

interface Bench {
  stack: LocalStack;
  nats: NatsConnection;
  seconds: number;
}
interface Load {
  name: string;
  /** Concurrent calls. */
  calls: number;
  next: () => Packet;
}

/**
 * `npm run bench -- sandbox [--seconds 5] [--minutes 0] [--children 51]`: user code through NATS, with this process as the
 * client. `--children` applies to the load of many workspaces. `--minutes` says how long that load continues before memory is
 * measured again.
 */
export async function sandbox(): Promise<void> {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: {
      seconds: { type: 'string', default: '5' },
      minutes: { type: 'string', default: '0' },
      children: { type: 'string', default: String(WORKSPACES + 1) },
    },
  });
  const seconds = Number(values.seconds);
  console.log(`medians of ${REPEATS} times ${seconds} s on ${availableParallelism()} cores; events of 1.4 KB`);
  await withSandbox(HEADLINE_CHILDREN, seconds, measureOne);
  await withSandbox(HEADLINE_CHILDREN, seconds, measureNeighbour);
  await withSandbox(Number(values.children), seconds, (bench) => measureMany(bench, Number(values.minutes)));
}

async function withSandbox(children: number, seconds: number, measure: (bench: Bench) => Promise<void>) {
  const stack = await launchStack({ processes: [SANDBOX], env: { SANDBOX_CHILDREN: String(children) } });
  const nats = await brokerOf(stack.address.natsUrl);
  try {
    await measure({ stack, nats, seconds });
  } finally {
    await nats.close();
    await removeStack(stack);
  }
}

/** One workspace, one version, two children. */
async function measureOne(bench: Bench): Promise<void> {
  const [raw] = await outputsOf(bench.nats, packetOf(rawMasking()));
  figure('masking within one isolate: events', Number(raw?.['perSecond']), '/s');
  await measureCold(bench);
  const [one, same] = [masking(1, 1, 1), identity(1, 100)].map(packetOf);
  const load = (name: string, calls: number, packet = one) => ({ name, calls, next: () => packet as Packet });
  await measureLoad(bench, load('masking, 1 event, 1 call at a time', 1));
  await measureWarmth(bench, 1);
  await measureWarmth(bench, 100);
  await measureLoad(bench, load('identity, 100 events, 8 calls', 8, same));
}

/** Compares code that keeps no state with the same code that counts its events. */
async function measureWarmth(bench: Bench, count: number): Promise<void> {
  const name = `masking, ${count} event${count === 1 ? '' : 's'}, 8 calls`;
  const [warm, fresh] = [masking(1, 1, count), countedMasking(1, count)].map(packetOf) as [Packet, Packet];
  const kept = await measureLoad(bench, { name, calls: 8, next: () => warm });
  const made = await measureLoad(bench, { name: `${name}, with state`, calls: 8, next: () => fresh });
  figure(`${name}: warm to fresh`, kept / made, 'x', 1);
}

/** Times the first run of versions that no child has compiled yet. */
async function measureCold({ nats }: Bench): Promise<void> {
  const packets = Array.from({ length: COLD_RUNS }, (_, version) => packetOf(masking(1, 1_000 + version, 1)));
  const taken: number[] = [];
  for (const packet of packets) taken.push((await call(nats, packet)).ms);
  taken.sort((a, b) => a - b);
  figure('first run of a new version: p50', percentile(taken, 0.5), 'ms', 1);
  figure('first run of a new version: slowest', taken.at(-1) ?? Number.NaN, 'ms', 1);
}

/** Measures one workspace while another runs endless loops, two at a time, without a pause. */
async function measureNeighbour(bench: Bench): Promise<void> {
  const packet = packetOf(masking(1, 1, 1));
  const load = { name: 'a neighbour, 1 event, 1 call at a time', calls: 1, next: () => packet };
  await measureLoad(bench, load);
  const abuse = packetOf(endless(2));
  let isOver = false;
  const abuser = async () => {
    while (!isOver) await call(bench.nats, abuse);
  };
  const abusers = Promise.all([abuser(), abuser()]);
  await measureLoad(bench, { ...load, name: 'the same beside an abuser' });
  isOver = true;
  await abusers;
}

async function measureMany(bench: Bench, minutes: number): Promise<void> {
  const packets = Array.from({ length: WORKSPACES * VERSIONS }, (_, n) =>
    packetOf(masking(2 + (n % WORKSPACES), Math.floor(n / WORKSPACES), MIXED_EVENTS)),
  );
  const any = () => packets[Math.floor(Math.random() * packets.length)] as Packet;
  const load = { name: `${WORKSPACES} workspaces × ${VERSIONS} versions`, calls: MIXED_CALLS, next: any };
  for (const packet of packets) await call(bench.nats, packet);
  await measureLoad(bench, load);
  showMemory(bench.stack, 'after that');
  if (minutes === 0) return;
  const { failed } = await round(bench, load, minutes * 60);
  figure(`${minutes} minutes of it: failed events`, failed, '');
  showMemory(bench.stack, `after ${minutes} minutes`);
}

/** Returns events per second. */
async function measureLoad(bench: Bench, load: Load): Promise<number> {
  await round(bench, load, Math.min(1, bench.seconds)); // warm-up
  const rounds: Round[] = [];
  for (let n = 0; n < REPEATS; n += 1) rounds.push(await round(bench, load, bench.seconds));
  const shown = (name: string, of: (each: Round) => number, unit: string, digits = 0) =>
    figure(`${load.name}: ${name}`, median(rounds.map(of)), unit, digits);
  shown('events', (each) => each.events / each.seconds, '/s');
  shown('p50', (each) => percentile(each.latencies, 0.5), 'ms', 2);
  shown('p99', (each) => percentile(each.latencies, 0.99), 'ms', 2);
  shown('CPU of the sandbox for an event', (each) => (each.cpuSeconds / each.events) * 1e6, 'µs', 1);
  const failed = rounds.reduce((sum, each) => sum + each.failed, 0);
  figure(`${load.name}: failed events`, failed, '');
  return median(rounds.map((each) => each.events / each.seconds));
}

interface Round {
  events: number;
  failed: number;
  seconds: number;
  cpuSeconds: number;
  /** Milliseconds per call, ascending. */
  latencies: number[];
}

async function round({ nats, stack }: Bench, { calls, next }: Load, seconds: number): Promise<Round> {
  const latencies: number[] = [];
  let [events, failed] = [0, 0];
  const cpuBefore = cpuOf(stack);
  const startedAt = performance.now();
  const worker = async () => {
    while (performance.now() - startedAt < seconds * 1_000) {
      const packet = next();
      const done = await call(nats, packet);
      latencies.push(done.ms);
      failed += done.failed;
      events += packet.events - done.failed;
    }
  };
  await Promise.all(Array.from({ length: calls }, worker));
  const took = (performance.now() - startedAt) / 1_000;
  latencies.sort((a, b) => a - b);
  return { events, failed, seconds: took, cpuSeconds: cpuOf(stack) - cpuBefore, latencies };
}

const pidOf = (stack: LocalStack) => stack.programs().find(({ name }) => name === SANDBOX)?.pid ?? 0;

const cpuOf = (stack: LocalStack) => cpuSeconds([{ name: SANDBOX, pid: pidOf(stack) }]).get(SANDBOX) ?? Number.NaN;

/** Prints two figures, because plain RSS counts shared pages (mostly Node itself) once per process. */
function showMemory(stack: LocalStack, when: string): void {
  figure(`supervisor and children ${when}: RSS`, (stack.rss()[SANDBOX] ?? Number.NaN) / MIB, 'MiB');
  figure(`supervisor and children ${when}: shared pages once`, proportionalBytes(pidOf(stack)) / MIB, 'MiB');
}

const median = (numbers: number[]) =>
  percentile(
    numbers.toSorted((a, b) => a - b),
    0.5,
  );
