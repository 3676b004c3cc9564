import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type LocalStack, launchStack, removeStack } from '@weir/local';
import type { Hit } from '../hostile/attacker.js';
import { Attacks } from '../hostile/attacks.js';
import { CORPUS } from '../hostile/corpus.js';
import { openSink } from '../hostile/sink.js';
import { NOT_WORK, type Stall, StallReader } from '../hostile/stalls.js';
import { type Taken, Victim } from '../hostile/victim.js';
import { cpuSeconds } from './cpu.js';
import { percentile } from './load.js';
import { figure, latencies } from './report.js';

const QUIET_SECONDS = 20;
/** Pause between attacks, long enough to explain a stall and to read its figures. */
const PAUSE_MS = 400;

/**
 * `npm run bench -- hostile [--seconds 20] [--only name]`: a workspace alone, and beside another one that attacks it. Prints how
 * the first one fares, which attack stalled the loop of which process, and who used the processor.
 *
 * Everything runs on one machine. From this process, the victim sends an event and tests its code, each ten times a second. The
 * attacker has its own process at the lowest priority. It runs one attack of the corpus at a time, until all requests are
 * answered or 15 s are over. At most 25 requests are under way. Effects of its events in the pipeline continue during the
 * following attacks.
 */
export async function hostile(): Promise<void> {
  const { values } = parseArgs({
    options: { seconds: { type: 'string' }, only: { type: 'string' } },
    allowPositionals: true,
  });
  const stack = await launchStack({ opsPorts: true });
  const sink = await openSink();
  let attacks: Attacks | undefined;
  try {
    const victim = await Victim.enter(stack.address, sink.url, sink.listen);
    attacks = await Attacks.begin(stack.address);
    victim.start();
    await sleep(2_000);
    victim.takeOut();
    await sleep(Number(values.seconds ?? QUIET_SECONDS) * 1_000);
    const quiet = victim.takeOut();
    const programs = [...stack.programs(), { name: 'the attacker', pid: attacks.pid }];
    const [before, startedAt] = [cpuSeconds(programs), performance.now()];
    const stalls = await attackAll(stack, attacks, victim, values.only ?? '');
    const seconds = (performance.now() - startedAt) / 1_000;
    for (const [name, used] of cpuSeconds(programs)) {
      figure(`processor: ${name}`, ((used - (before.get(name) ?? 0)) / seconds) * 100, '% of a core');
    }
    await victim.stop();
    report(quiet, victim.takeOut(), stalls);
    reportFailures(victim);
  } finally {
    attacks?.end();
    sink.close();
    await removeStack(stack);
  }
}

interface Seen extends Stall {
  attack: string;
}

async function attackAll(stack: LocalStack, attacker: Attacks, victim: Victim, only: string): Promise<Seen[]> {
  const reader = new StallReader(stack.address);
  await reader.read();
  const seen: Seen[] = [];
  const attacks = CORPUS.filter(({ name }) => name.includes(only));
  console.log(`${attacks.length} attacks, one after the other, from a process of the lowest priority`);
  for (const attack of attacks) {
    const before = countsOf(victim.taken);
    const hits = await attacker.attack(attack.name);
    await sleep(PAUSE_MS);
    const stalls = await reader.read();
    seen.push(...stalls.map((stall) => ({ ...stall, attack: attack.name })));
    const worst = worstSince(victim.taken, before);
    console.log(
      `  ${attack.name.padEnd(52)} ${worst}  ${answersOf(hits)} ${stalls.filter(isWork).map(told).join(', ')}`,
    );
  }
  return seen;
}

/** Statuses such as `200 x3, 413`. */
function answersOf(hits: Hit[]): string {
  const counts = new Map<number, number>();
  for (const { status } of hits) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${status || 'cut'}${count > 1 ? ` x${count}` : ''}`).join(', ');
}

const told = ({ process, work, count, longest }: Stall) =>
  `${process} ${work} up to ${longest * 1_000} ms${count > 1 ? ` x${count}` : ''}`;

const KEYS = ['intake', 'delivery', 'test'] as const;
type Counts = Record<keyof Taken, number>;

const countsOf = (taken: Taken): Counts => ({
  intake: taken.intake.length,
  delivery: taken.delivery.length,
  test: taken.test.length,
});

/** The longest wait of the victim per kind of request during an attack, such as `12/ 40/ 20 ms`. */
function worstSince(taken: Taken, before: Counts): string {
  const worst = KEYS.map((key) => Math.round(Math.max(0, ...taken[key].slice(before[key]))));
  return `${worst.map((ms) => String(ms).padStart(4)).join('/')} ms`;
}

function report(quiet: Taken, beside: Taken, stalls: Seen[]): void {
  for (const key of KEYS) {
    const [alone, attacked] = [ascending(quiet[key]), ascending(beside[key])];
    latencies(`victim, ${key}, by itself`, alone);
    latencies(`victim, ${key}, beside`, attacked);
    figure(`victim, ${key}: p99 beside / by itself`, percentile(attacked, 0.99) / percentile(alone, 0.99), '', 2);
  }
  const work = stalls.filter(isWork);
  for (const process of new Set(work.map((stall) => stall.process))) {
    const own = work.filter((stall) => stall.process === process);
    const [worst] = own.sort((a, b) => b.longest - a.longest);
    if (worst)
      figure(`${process}: longest stretch (${worst.work}), at most`, worst.longest * 1_000, `ms, ${worst.attack}`);
  }
  figure(
    'stretches over 50 ms, all processes',
    work.reduce((sum, { count }) => sum + count, 0),
    '',
  );
}

function reportFailures({ failures }: Victim): void {
  figure('victim: failures', failures.length, '');
  for (const failure of [...new Set(failures)].slice(0, 10)) console.log(`  ${failure}`);
}

const isWork = ({ work }: Stall) => !NOT_WORK.includes(work);
const ascending = (values: number[]) => values.toSorted((a, b) => a - b);
