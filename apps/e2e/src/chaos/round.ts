import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PARTITIONS } from '@weir/contracts';
import { api, until } from '@weir/testing';
import { check, type Verdict } from '../history/check.js';
import type { Line } from '../history/lines.js';
import { cause, separates, type Target } from './faults.js';
import { randomOf, shuffled } from './random.js';
import { now, Recorder } from './recorder.js';
import { isDrained, readDeletions, readOutcomes, waitingAt } from './settle.js';
import { Work } from './work.js';
import { newScene, type Scene } from './workspace.js';

const WORKSPACES = 5;
/** Pause before each fault, on average. */
const GAP_MS = 3_000;
/** Everything is ready and every queue is empty this long after the last fault, without a hand. */
const REST_MS = 60_000;

export interface Settings {
  /** Names workspaces and history. */
  name: string;
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
  /** How long that took. */
  restSeconds: number;
  /** Messages that still waited, by consumer or stream, unless it came to rest. */
  waiting: Record<string, number>;
}

/** Plays one seed: work in all areas, faults meanwhile, and then the verdict of the checker on the history. */
export const play = async (target: Target, settings: Settings, seed: number): Promise<Round> =>
  (await perform(target, settings, seed)).verdict;

/**
 * Resolves when everything has come to rest. The verdict waits for deletions, which let the longest send end first. The next round may
 * begin meanwhile.
 */
export async function perform(
  target: Target,
  { name, histories, patience, ...settings }: Settings,
  seed: number,
): Promise<{ verdict: Promise<Round> }> {
  const { natsUrl } = target.stack.address;
  const random = randomOf(seed);
  const file = join(histories, `${name}.jsonl`);
  const recorder = new Recorder(file);
  const scenes = await Promise.all(Array.from({ length: WORKSPACES }, (_, n) => sceneOf(target, recorder, name, n)));
  const works = scenes.map((scene, n) => new Work(scene, recorder, randomOf(seed * WORKSPACES + n)));
  for (const work of works) work.start();
  await causeAll(target, settings, random, recorder);
  await sleep(GAP_MS);
  await Promise.all(works.map((work) => work.stop()));
  const restMs = REST_MS * patience;
  const stoppedAt = now();
  const isAtRest = (await isReady(target, restMs)) && (await isDrained(natsUrl, restMs));
  const restSeconds = Math.round((now() - stoppedAt) / 1_000);
  const waiting = isAtRest ? {} : await waitingAt(natsUrl).catch(() => ({}));
  await readOutcomes(scenes, recorder);
  await Promise.all(works.map((work) => work.readFinal()));
  const judge = async () => {
    await readDeletions(scenes, recorder);
    const lines = recorder.close();
    const sent = lines.filter(({ kind }) => kind === 'event').length;
    return { ...check(lines), lines, file, sent, isAtRest, restSeconds, waiting };
  };
  return { verdict: judge() };
}

/** Every second source is spread, and gateways take turns, so faults meet all kinds. */
function sceneOf({ stack, sink }: Target, recorder: Recorder, round: string, n: number): Promise<Scene> {
  const name = `${round}-${n}`;
  sink.recordTo(recorder, name);
  const gateways = stack.address.urls.length;
  return newScene(stack.address, sink.url, {
    name,
    partitions: n % 2 === 0 ? 1 : PARTITIONS,
    gateways: { calls: n % gateways, events: (n >> 1) % gateways },
  });
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
  const probes = stack.address.urls.map((_, gateway) => async () => {
    const answer = await api(stack.address, 'nobody', gateway)
      .get('/readyz')
      .catch(() => undefined);
    return answer?.status === 200;
  });
  const ready = probes.map((probe) => until('everything to be ready', probe, restMs).catch(() => false));
  return (await Promise.all(ready)).every(Boolean);
}
