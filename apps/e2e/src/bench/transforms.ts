import { performance } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import { sampleEvents } from '@weir/testing';
import { figure } from './report.js';
import { transformBounds } from './transform-bounds.js';
import { type Asked, configs, type Library, library } from './transform-worker.js';

/** Events per measurement. */
const EVENTS = 20_000;
const WARM_EVENTS = 5_000;
/** Runs per variant. The best is shown, because the others had less of the machine. */
const REPEATS = 5;
/** Events on their way to the worker at any time, so that it never waits. */
const AT_ONCE = 64;

/**
 * `npm run bench -- transforms`: compares a transform on the calling loop with the cost to that loop if a worker thread does it.
 * The latter includes serialising the event, waking up and reading the payloads. Then prints the slowest event of each kind.
 */
export async function transforms(): Promise<void> {
  const lib = await library();
  const asked = askedOf(lib);
  const worker = new Worker(new URL('./transform-worker.js', import.meta.url));
  const pool = new Hand(worker);
  await pool.run(repeated(asked, WARM_EVENTS / asked.length));
  figure('events', asked.length, 'of all kinds and types');
  await best('transform on the loop', () => onTheLoop(lib, asked));
  await best('hand-over to a worker, the whole way', () => handedOver(pool, asked), handOver);
  await worker.terminate();
  transformBounds(lib);
}

interface Cost {
  /** Microseconds per event: CPU of this thread, and wall-clock time. */
  busyUs: number;
  wallUs: number;
}

async function best(name: string, measure: () => Promise<Cost>, show = shown): Promise<void> {
  const costs: Cost[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat += 1) costs.push(await measure());
  show(name, costs.toSorted((a, b) => a.busyUs - b.busyUs)[0] as Cost);
}

const shown = (name: string, { busyUs }: Cost) => figure(name, busyUs, 'us an event', 1);

function handOver(name: string, { busyUs, wallUs }: Cost): void {
  figure(name, wallUs, 'us an event', 1);
  figure('  of that on the loop', busyUs, 'us an event', 1);
}

/** Every kind with every event type that it accepts. */
function askedOf(lib: Library): Asked[] {
  return [...configs(lib)].flatMap(([kind, config]) =>
    sampleEvents().flatMap((event) => {
      try {
        lib.destinationKind(kind)?.transform(event, config);
        return [{ kind, event }];
      } catch {
        return [];
      }
    }),
  );
}

async function onTheLoop(lib: Library, asked: readonly Asked[]): Promise<Cost> {
  const configOf = configs(lib);
  const all = repeated(asked, Math.ceil(EVENTS / asked.length));
  const startedAt = performance.now();
  for (const { kind, event } of all) lib.destinationKind(kind)?.transform(event, configOf.get(kind) ?? {});
  const wallUs = ((performance.now() - startedAt) * 1_000) / all.length;
  return { wallUs, busyUs: wallUs };
}

async function handedOver(hand: Hand, asked: readonly Asked[]): Promise<Cost> {
  const all = repeated(asked, Math.ceil(EVENTS / asked.length));
  const [startedAt, before] = [performance.now(), performance.eventLoopUtilization()];
  await hand.run(all);
  const { active } = performance.eventLoopUtilization(before);
  const us = (ms: number) => (ms * 1_000) / all.length;
  return { wallUs: us(performance.now() - startedAt), busyUs: us(active) };
}

const repeated = (asked: readonly Asked[], rounds: number): Asked[] =>
  Array.from({ length: Math.ceil(rounds) }, () => asked).flat();

/** A worker with several events on their way to it. */
class Hand {
  constructor(private readonly worker: Worker) {}

  run(asked: readonly Asked[]): Promise<void> {
    let [sent, done] = [0, 0];
    return new Promise((resolve, reject) => {
      const next = () => {
        if (sent < asked.length) this.worker.postMessage(asked[sent++]);
      };
      const onAnswer = () => {
        done += 1;
        if (done < asked.length) return next();
        this.worker.off('message', onAnswer);
        resolve();
      };
      this.worker.on('message', onAnswer);
      this.worker.once('error', reject);
      for (let one = 0; one < AT_ONCE; one += 1) next();
    });
  }
}
