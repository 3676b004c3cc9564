import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PARTITIONS } from '@weir/contracts';
import { api, until } from '@weir/testing';
import { check, type Verdict } from '../history/check.js';
import type { Line } from '../history/lines.js';
import { cause, separates, type Target } from './faults.js';
import { randomOf, shuffled } from './random.js';
import { now, Recorder } from './recorder.js';
import { isDrained, readOutcomes, waitingAt } from './settle.js';
import { Work } from './work.js';
import { newScene } from './workspace.js';

const WORKSPACES = 5;
/** Pause before each fault, on average. */
const GAP_MS = 3_000;
/** Everything is ready and every queue is empty this long after the last fault, without a hand. */
const REST_MS = 60_000;

export interface Settings {
  /** Those that the seed puts in order, as often as time allows and at least once each. */
  faults: readonly string[];
  minutes: number;
  /** Multiplies the time until everything is at rest. A machine with other work gets more than one. */
  patience: number;
  /** Folder of the files with the histories. */
  histories: string;
}

export interface Round extends Verdict {
  lines: readonly Line[];
  /** Where the history is. */
  file: string;
  sent: number;
  /** Whether everything came to rest in time. */
  isAtRest: boolean;
  /** Messages that still waited, by consumer or stream, unless it came to rest. */
  waiting: Record<string, number>;
}

/** Plays one seed: work in all areas, faults meanwhile, and then the verdict of the checker on the history. */
export async function play(
  target: Target,
  { histories, patience, ...settings }: Settings,
  seed: number,
): Promise<Round> {
  const { stack, sink } = target;
  const random = randomOf(seed);
  const file = join(histories, `history-${seed}.jsonl`);
  const recorder = new Recorder(file);
  sink.recordTo(recorder);
  const names = Array.from({ length: WORKSPACES }, (_, n) => `chaos-${seed}-${n}`);
  // every second source is spread, so faults meet both kinds
  const partitionsOf = (n: number) => (n % 2 === 0 ? 1 : PARTITIONS);
  const scenes = await Promise.all(names.map((name, n) => newScene(stack.address, sink.url, name, partitionsOf(n))));
  const works = scenes.map((scene, n) => new Work(scene, recorder, randomOf(seed * WORKSPACES + n)));
  for (const work of works) work.start();
  await causeAll(target, settings, random, recorder);
  await sleep(GAP_MS);
  await Promise.all(works.map((work) => work.stop()));
  const restMs = REST_MS * patience;
  const isAtRest = (await isReady(target, restMs)) && (await isDrained(stack.address.natsUrl, restMs));
  const waiting = isAtRest ? {} : await waitingAt(stack.address.natsUrl).catch(() => ({}));
  await readOutcomes(scenes, recorder);
  await Promise.all(works.map((work) => work.readFinal()));
  const { lines } = recorder;
  const sent = lines.filter(({ kind }) => kind === 'event').length;
  return { ...check(lines), lines, file, sent, isAtRest, waiting };
}

async function causeAll(
  target: Target,
  { faults, minutes }: Pick<Settings, 'faults' | 'minutes'>,
  random: () => number,
  recorder: Recorder,
): Promise<void> {
  const end = now() + minutes * 60_000;
  let left = shuffled(faults, random);
  for (const first = new Set(left); first.size > 0 || now() < end; ) {
    if (left.length === 0) left = shuffled(faults, random);
    const fault = left.pop() ?? '';
    first.delete(fault);
    await sleep(GAP_MS * (0.5 + random()));
    const at = now();
    const says = await cause(target, fault, random);
    recorder.write({ kind: 'fault', at, until: now(), separates: separates(fault), says });
  }
}

async function isReady({ stack }: Target, restMs: number): Promise<boolean> {
  const probe = async () =>
    (
      await api(stack.address, 'nobody')
        .get('/readyz')
        .catch(() => undefined)
    )?.status === 200;
  return until('everything to be ready', probe, restMs).catch(() => false);
}
