import { parseArgs } from 'node:util';
import { launchStack, removeStack } from '@weir/local';
import { PARTITIONED } from '../scale/model.js';
import { watchBacklog } from './backlog.js';
import { DeliverySink } from './delivery-sink.js';
import { WITHOUT_RATE_LIMITS } from './load.js';
import { figure, latencies } from './report.js';
import { MICROSECONDS, offer, type Scene, type Work } from './stack-load.js';

const SECONDS_DEFAULT = 8;
const BATCH_EVENTS = 50;
const USERS = 1_000;
/** Programs that take less than this are summed up. */
const SHOWN_MICROSECONDS = 3;
const WORKS: readonly Work[] = [
  { name: 'single events', batch: 1, connections: 32, users: USERS },
  { name: 'batches', batch: BATCH_EVENTS, connections: 32, users: USERS, part: 1 / 2 },
  { name: 'one user', batch: BATCH_EVENTS, connections: 1, users: 1, part: 1 / 8 },
  { name: '100 ms answers', batch: BATCH_EVENTS, connections: 2, users: USERS, answerMs: 100, part: 1 / 4 },
];

/** The parts of a stack, and the work that it gets. */
interface Plan {
  seconds: number;
  works: readonly Work[];
  /** Processes of each of {@link PARTITIONED}. */
  replicas: number;
  /** Over how many partitions each source is spread. */
  partitions: number;
}

/**
 * `npm run bench -- stack --seconds 8 --only "one user"`: the whole stack with a webhook connected. Load and sink share the
 * processor with it. Prints what was accepted and delivered, the processor time per delivered event, and what waited for what.
 *
 * `--replicas 2 --partitions 16` measures one process of each role first, and then that many with a source that is spread. Prints
 * how much more the second delivers, and what each event costs it.
 */
export async function stack(): Promise<void> {
  const { values } = parseArgs({
    options: {
      ...{ seconds: { type: 'string' }, only: { type: 'string' } },
      ...{ replicas: { type: 'string', default: '1' }, partitions: { type: 'string', default: '1' } },
    },
    allowPositionals: true,
  });
  const works = WORKS.filter(({ name }) => !values.only || name === values.only);
  const single = { seconds: Number(values.seconds ?? SECONDS_DEFAULT), works, replicas: 1, partitions: 1 };
  const plan = { ...single, replicas: Number(values.replicas), partitions: Number(values.partitions) };
  const before = await run(single);
  if (plan.replicas > 1 || plan.partitions > 1) reportGains(plan, before, await run(plan));
}

/** Measures the works on a stack of their own. */
async function run({ seconds, works, replicas, partitions }: Plan): Promise<Measured[]> {
  const started = await launchStack({ env: WITHOUT_RATE_LIMITS, replicas, replicated: PARTITIONED });
  const sink = new DeliverySink();
  const scene = { stack: started, sink, sinkUrl: await sink.start(), seconds, partitions };
  const measured: Measured[] = [];
  try {
    for (const work of works) measured.push(await measure(scene, work));
    return measured;
  } finally {
    await sink.close();
    await removeStack(started);
  }
}

interface Measured {
  name: string;
  /** Events per second. */
  delivered: number;
  /** Seconds of processor time per event, of everything. */
  cost: number;
}

async function measure(scene: Scene, work: Work): Promise<Measured> {
  const { name } = work;
  const backlog = await watchBacklog(scene.stack.address.natsUrl);
  const { path, offered, taken, wall, used } = await offer(scene, work);
  const arrived = scene.sink.arrived(path);
  figure(`${name}: accepted`, taken / offered.seconds, 'events/s');
  latencies(`${name}: request`, offered.latencies);
  figure(`${name}: delivered`, arrived / wall, 'events/s');
  if (taken !== arrived) figure(`${name}: lost`, taken - arrived, '');
  for (const [waits, { mean, max }] of await backlog.stop())
    figure(`${name}: messages that waited ${waits}, mean of ${max} at most`, mean, '', 1);
  reportCpu(name, used, { wall, taken });
  const total = [...used.values()].reduce((sum, spent) => sum + spent, 0);
  return { name, delivered: arrived / wall, cost: total / taken };
}

function reportGains({ replicas, partitions }: Plan, before: readonly Measured[], after: readonly Measured[]): void {
  for (const [at, { name, delivered, cost }] of after.entries()) {
    const one = before[at];
    if (!one) continue;
    const what = `${name}: ${replicas} processes and ${partitions} partitions`;
    figure(`${what}, delivered`, delivered / one.delivered, 'times one process', 2);
    figure(`${what}, CPU of an event`, cost / one.cost, 'times one process', 2);
  }
}

/** Microseconds of processor time per event, by program, and how busy the machine was by them. */
function reportCpu(name: string, used: ReadonlyMap<string, number>, run: { wall: number; taken: number }): void {
  const perEvent = [...used].map(([one, spent]): [string, number] => [one, (spent * MICROSECONDS) / run.taken]);
  const shown = perEvent.filter(([, each]) => each >= SHOWN_MICROSECONDS).sort(([, a], [, b]) => b - a);
  for (const [one, each] of shown) figure(`${name}: CPU of ${one}`, each, 'us an event');
  const total = [...used.values()].reduce((sum, spent) => sum + spent, 0);
  figure(`${name}: CPU of all`, (total * MICROSECONDS) / run.taken, 'us an event');
  figure(`${name}: processors in use`, total / run.wall, '', 1);
}
