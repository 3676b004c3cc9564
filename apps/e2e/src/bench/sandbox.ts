import { performance } from 'node:perf_hooks';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { RunCode } from '@weir/contracts';
import { launchStack, removeStack } from '@weir/testing';
import { percentile } from './load.js';
import { figure } from './report.js';
import { identity, masking, type Request, rawMasking } from './sandbox-programs.js';

/** Of each measurement, and children: arguments of the command. */
const SECONDS = Number(process.argv[3] ?? 5);
const REPEATS = 3;
const CHILDREN = process.argv[4] ?? '2';
const WORKSPACES = 50;
const VERSIONS = 10;
const MIXED_EVENTS = 20;
const MIB = 1_048_576;
const SANDBOX = 'code-sandbox.main';

interface Load {
  name: string;
  concurrency: number;
  events: number;
  make: (n: number) => Request;
}

const LOADS: Load[] = [
  { name: 'masking, 1 event, 1 call at a time', concurrency: 1, events: 1, make: () => masking(1, 1, 1) },
  { name: 'masking, 1 event, 8 calls', concurrency: 8, events: 1, make: () => masking(1, 1, 1) },
  { name: 'masking, 100 events, 8 calls', concurrency: 8, events: 100, make: () => masking(1, 1, 100) },
  { name: 'identity, 100 events, 8 calls', concurrency: 8, events: 100, make: () => identity(1, 100) },
  {
    name: `${WORKSPACES} workspaces × ${VERSIONS} versions`,
    concurrency: 32,
    events: MIXED_EVENTS,
    make: () => masking(2 + random(WORKSPACES), random(VERSIONS), MIXED_EVENTS),
  },
];

/** `npm run bench -- sandbox [seconds] [children]`: user code through NATS, from this process as the client. */
export async function sandbox(): Promise<void> {
  const stack = await launchStack({ processes: [SANDBOX], env: { SANDBOX_CHILDREN: CHILDREN } });
  const nats = await brokerOf(stack.address.natsUrl);
  try {
    console.log(`${CHILDREN} children and a spare; medians of ${REPEATS} times ${SECONDS} s`);
    await measureRaw(nats);
    await measureCold(nats);
    for (const load of LOADS) await measure(nats, load);
    figure('resident: supervisor and children', (stack.rss()[SANDBOX] ?? Number.NaN) / MIB, 'MiB');
  } finally {
    await nats.close();
    await removeStack(stack);
  }
}

async function measureRaw(nats: NatsConnection): Promise<void> {
  const { outputs } = await send(nats, rawMasking());
  figure('masking within one isolate: events', Number(outputs[0]?.['perSecond']), '/s');
}

/** The first run of versions that no child has compiled. */
async function measureCold(nats: NatsConnection): Promise<void> {
  const taken: number[] = [];
  for (let version = 1_000; version < 1_020; version += 1) taken.push((await send(nats, masking(1, version, 1))).ms);
  taken.sort((a, b) => a - b);
  figure('first run of a new version: p50', percentile(taken, 0.5), 'ms', 1);
  figure('first run of a new version: slowest', taken.at(-1) ?? Number.NaN, 'ms', 1);
}

async function measure(nats: NatsConnection, load: Load): Promise<void> {
  await round(nats, load, Math.min(1, SECONDS)); // warm
  const rounds: Awaited<ReturnType<typeof round>>[] = [];
  for (let n = 0; n < REPEATS; n += 1) rounds.push(await round(nats, load, SECONDS));
  const shown = (name: string, of: (each: (typeof rounds)[number]) => number, unit: string, digits = 0) =>
    figure(`${load.name}: ${name}`, median(rounds.map(of)), unit, digits);
  shown('events', (each) => each.events, '/s');
  shown('p50', (each) => percentile(each.latencies, 0.5), 'ms', 2);
  shown('p99', (each) => percentile(each.latencies, 0.99), 'ms', 2);
  const failed = rounds.reduce((sum, each) => sum + each.failed, 0);
  if (failed > 0) figure(`${load.name}: failed events`, failed, '');
}

async function round(nats: NatsConnection, { concurrency, events, make }: Load, seconds: number) {
  const latencies: number[] = [];
  let [sent, failed] = [0, 0];
  const startedAt = performance.now();
  const worker = async () => {
    while (performance.now() - startedAt < seconds * 1_000) {
      sent += 1;
      const { ms, ok } = await send(nats, make(sent));
      if (ok === events) latencies.push(ms);
      failed += events - ok;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  const tookSeconds = (performance.now() - startedAt) / 1_000;
  latencies.sort((a, b) => a - b);
  return { events: (sent * events - failed) / tookSeconds, failed, latencies };
}

type Result = { status: string; outputs?: Record<string, unknown>[] };

/** What `RpcClient` sends and gets, without its checks. `ok` is the number of events that came out. */
async function send(nats: NatsConnection, data: Request) {
  const startedAt = performance.now();
  const packet = JSON.stringify({ pattern: RunCode.subject, id: '1', data });
  const message = await nats.request(RunCode.subject, packet, { timeout: RunCode.deadlineMs });
  const { response } = message.json<{ response?: { results: Result[] } }>();
  const outputs = (response?.results ?? []).flatMap((result) => result.outputs ?? []);
  return { ms: performance.now() - startedAt, ok: outputs.length, outputs };
}

/** The client wants what the URL holds one by one. */
function brokerOf(url: string): Promise<NatsConnection> {
  const { host, username, password } = new URL(url);
  return connect({ servers: host, user: decodeURIComponent(username), pass: decodeURIComponent(password) });
}

const random = (below: number) => Math.floor(Math.random() * below);
const median = (numbers: number[]) =>
  percentile(
    numbers.toSorted((a, b) => a - b),
    0.5,
  );
