import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type LocalStack, launchStack, removeStack } from '@weir/local';
import { MEASURED } from '../scale/measured.js';
import { type Costs, costOf, type Demand, PARTITIONED, perEvent, plan } from '../scale/model.js';
import { cpuSeconds } from './cpu.js';
import { DeliverySink } from './delivery-sink.js';
import { WITHOUT_RATE_LIMITS } from './load.js';
import { figure } from './report.js';
import { MICROSECONDS, offer, type Work } from './stack-load.js';

const MIB = 1_048_576;
const SECONDS_DEFAULT = 8;
const SINGLE = { name: 'single events', batch: 1, connections: 32, users: 1_000 };
const BATCHES = { name: 'batches', batch: 50, connections: 32, users: 1_000 };
/** Neither of the batches that the costs come from. */
const CHECKED = { name: 'batches of ten', batch: 10, connections: 32, users: 1_000 };
const BROKERS = 3;
/** A process renews leases and the like without any event. That is measured for so long, and is no cost of an event. */
const IDLE_SECONDS = 5;
/** Programs below this are left out of the check, because the clock of the processor is coarse. */
const SHOWN_MICROSECONDS = 3;

/**
 * `npm run bench -- scale-model --events 10000,100000,1000000`: how many processes carry so many events a second, by what an event
 * and a message cost each program. `src/scale/measured.ts` has the costs of one machine. `--measure` takes them from this one, by single events and
 * by batches of 50, and then compares the model with a run that it has not seen: three brokers, two of each role, batches of ten.
 */
export async function scaleModel(): Promise<void> {
  const text = (value: string) => ({ type: 'string', default: value }) as const;
  const { values } = parseArgs({
    options: {
      events: text('10000,100000,1000000'),
      batch: text('50'),
      'event-bytes': text('1000'),
      destinations: text('1'),
      'answer-ms': text('50'),
      'hot-share': text('0.1'),
      'hot-partitions': text('1'),
      measure: { type: 'boolean', default: false },
      seconds: text(String(SECONDS_DEFAULT)),
    },
    allowPositionals: true,
  });
  const costs = values.measure ? await measured(Number(values.seconds)) : MEASURED;
  for (const [program, { message, event }] of costs)
    figure(`${program}: cost of a message`, message, `us, and ${event.toFixed(1)} for each event`, 1);
  if (values.measure) await check(costs, Number(values.seconds));
  for (const events of values.events.split(',')) {
    report(
      {
        eventsPerSecond: Number(events),
        batch: Number(values.batch),
        eventBytes: Number(values['event-bytes']),
        destinations: Number(values.destinations),
        answerMs: Number(values['answer-ms']),
        hotShare: Number(values['hot-share']),
        hotPartitions: Number(values['hot-partitions']),
      },
      costs,
    );
  }
}

function report(demand: Demand, costs: Costs): void {
  console.log(`\n${demand.eventsPerSecond.toLocaleString('en')} events a second`);
  const { roles, underWay, brokerBytes } = plan(demand, costs);
  for (const { program, cores, processes, limit } of roles) {
    const needs = processes === undefined ? 'cores' : `cores, ${processes} processes`;
    figure(program, cores, limit ? `${needs}: ${limit}` : needs, 1);
  }
  figure('requests under way to each destination', underWay, '');
  figure('each server of three brokers writes', brokerBytes / MIB, 'MiB/s');
}

/** Microseconds per event and program of one run. Copies of a program count together. */
async function run(
  work: Work,
  seconds: number,
  options: Parameters<typeof launchStack>[0],
): Promise<Map<string, number>> {
  const stack = await launchStack({ env: WITHOUT_RATE_LIMITS, ...options });
  const sink = new DeliverySink();
  try {
    const idle = await idleSeconds(stack);
    const scene = { stack, sink, sinkUrl: await sink.start(), seconds, partitions: 1 };
    const { used, taken, wall } = await offer(scene, work);
    const each = new Map<string, number>();
    for (const { name } of stack.programs()) {
      const busy = Math.max(0, (used.get(name) ?? 0) - (idle.get(name) ?? 0) * wall);
      const program = name.replace(/-\d$/, '');
      each.set(program, (each.get(program) ?? 0) + (busy * MICROSECONDS) / taken);
    }
    return each;
  } finally {
    await sink.close();
    await removeStack(stack);
  }
}

/** Seconds of processor time per second of each program while nothing happens. */
async function idleSeconds(stack: LocalStack): Promise<Map<string, number>> {
  await sleep(IDLE_SECONDS * 1_000); // they have just started
  const before = cpuSeconds(stack.programs());
  await sleep(IDLE_SECONDS * 1_000);
  const after = cpuSeconds(stack.programs());
  return new Map([...after].map(([name, now]) => [name, (now - (before.get(name) ?? 0)) / IDLE_SECONDS]));
}

async function measured(seconds: number): Promise<Costs> {
  const [single, batches] = [await run(SINGLE, seconds, {}), await run(BATCHES, seconds, {})];
  return new Map(
    [...single].map(([program, each]) => {
      const other = { batch: BATCHES.batch, each: batches.get(program) ?? 0 };
      return [program, costOf({ batch: SINGLE.batch, each }, other)];
    }),
  );
}

async function check(costs: Costs, seconds: number): Promise<void> {
  console.log(`\n${BROKERS} brokers, two of each role, batches of ${CHECKED.batch}`);
  const seen = await run(CHECKED, seconds, { brokers: BROKERS, replicas: 2, replicated: PARTITIONED });
  for (const [program, cost] of costs) {
    const copies = program === 'nats-server' ? BROKERS : 1;
    const predicted = perEvent(cost, CHECKED.batch) * copies;
    const each = seen.get(program) ?? 0;
    if (predicted < SHOWN_MICROSECONDS) continue;
    figure(`${program}: CPU of an event`, each, `us, ${(each / predicted).toFixed(2)} times the model`, 1);
  }
}
