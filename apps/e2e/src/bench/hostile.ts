import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { launchStack, removeStack } from '@weir/testing';
import { Attacker, type Hit } from '../hostile/attacker.js';
import { CORPUS } from '../hostile/corpus.js';
import { openSink } from '../hostile/sink.js';
import { NOT_WORK, type Stall, StallReader } from '../hostile/stalls.js';
import { type Taken, Victim } from '../hostile/victim.js';
import { percentile } from './load.js';
import { figure, latencies } from './report.js';

const QUIET_SECONDS = 20;
/** Between attacks: long enough for a stall to be explained, and for its figures to be read. */
const PAUSE_MS = 400;

type Stack = Awaited<ReturnType<typeof launchStack>>;

/**
 * `npm run bench -- hostile [--seconds 20] [--only name]`: a workspace by itself, and beside one that tries everything. Prints what
 * the first one feels of it, and which attack held up the loop of which process.
 */
export async function hostile(): Promise<void> {
  const { values } = parseArgs({
    options: { seconds: { type: 'string' }, only: { type: 'string' } },
    allowPositionals: true,
  });
  const stack = await launchStack({ opsPorts: true });
  const sink = await openSink();
  try {
    const victim = await Victim.enter(stack.address, sink.url, sink.listen);
    const attacker = await Attacker.enter(stack.address, sink.url);
    victim.start();
    await sleep(2_000);
    victim.takeOut();
    await sleep(Number(values.seconds ?? QUIET_SECONDS) * 1_000);
    const quiet = victim.takeOut();
    const stalls = await attackAll(stack, attacker, values.only ?? '');
    await victim.stop();
    report(quiet, victim, stalls);
  } finally {
    sink.close();
    await removeStack(stack);
  }
}

interface Seen extends Stall {
  attack: string;
}

async function attackAll(stack: Stack, attacker: Attacker, only: string): Promise<Seen[]> {
  const reader = new StallReader(stack.address);
  await reader.read();
  const seen: Seen[] = [];
  const attacks = CORPUS.filter(({ name }) => name.includes(only));
  console.log(`${attacks.length} attacks`);
  for (const attack of attacks) {
    const hits = await attacker.attack(attack);
    await sleep(PAUSE_MS);
    const stalls = await reader.read();
    seen.push(...stalls.map((stall) => ({ ...stall, attack: attack.name })));
    console.log(`  ${attack.name.padEnd(52)} ${answersOf(hits)} ${stalls.filter(isWork).map(told).join(', ')}`);
  }
  return seen;
}

/** `200 x3, 413`. */
function answersOf(hits: Hit[]): string {
  const counts = new Map<number, number>();
  for (const { status } of hits) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${status || 'cut'}${count > 1 ? ` x${count}` : ''}`).join(', ');
}

const told = ({ process, work, count, seconds }: Stall) =>
  `${process} ${work} ${Math.round((seconds * 1_000) / count)} ms${count > 1 ? ` x${count}` : ''}`;

function report(quiet: Taken, victim: Victim, stalls: Seen[]): void {
  const beside = victim.takeOut();
  for (const key of ['intake', 'delivery', 'test'] as const) {
    const [alone, attacked] = [ascending(quiet[key]), ascending(beside[key])];
    latencies(`victim, ${key}, by itself`, alone);
    latencies(`victim, ${key}, beside`, attacked);
    figure(`victim, ${key}: p99 beside / by itself`, percentile(attacked, 0.99) / percentile(alone, 0.99), '', 2);
  }
  figure('victim: failures', victim.failures.length, '');
  for (const failure of [...new Set(victim.failures)].slice(0, 10)) console.log(`  ${failure}`);
  const work = stalls.filter(isWork);
  for (const process of new Set(work.map((stall) => stall.process))) {
    const own = work.filter((stall) => stall.process === process);
    const [longest] = own.sort((a, b) => b.seconds / b.count - a.seconds / a.count);
    if (longest)
      figure(
        `${process}: longest stretch (${longest.work})`,
        (longest.seconds * 1_000) / longest.count,
        `ms, ${longest.attack}`,
      );
  }
  figure(
    'stretches over 50 ms, all processes',
    work.reduce((sum, { count }) => sum + count, 0),
    '',
  );
}

const isWork = ({ work }: Stall) => !NOT_WORK.includes(work);
const ascending = (values: number[]) => values.toSorted((a, b) => a - b);
