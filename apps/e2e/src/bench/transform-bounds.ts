import { EVENT_BYTES_MAX, type JsonObject } from '@weir/contracts';
import { type HostileEvent, hostileEvents } from '@weir/testing';
import { figure } from './report.js';
import { configs, type Library } from './transform-worker.js';

/** The most that destinations accept: about 10,000 keys and items, and half a MiB of text in about thirty places. */
const SIZE = { length: 14_000, parts: 9_500 };
/** One text that fills nearly the whole event. */
const LONG = { length: 480_000, parts: 1 };
/** Per kind: how many of the slowest events of the first pass are measured again, and how often. */
const LOOKED_AT_AGAIN = 6;
const ROUNDS = 10;

type Transform = (event: JsonObject) => unknown;

/** Prints the slowest accepted event per kind. Measures CPU time of the thread, so the machine may be busy. */
export function transformBounds(lib: Library): void {
  for (const [kind, config] of configs(lib)) {
    const transform: Transform = (event) => lib.destinationKind(kind)?.transform(event, config);
    const [slowest] = slowestOf(transform);
    if (slowest) figure(kind, slowest.ms, `ms: ${slowest.name}`, 1);
  }
}

interface Timed {
  name: string;
  ms: number;
}

/** The CPU clock of a thread advances in steps of some milliseconds, so the figure is the mean of several runs. */
function slowestOf(transform: Transform): Timed[] {
  const first = eventsOf().map(({ name, event }) => ({ name, ms: msOf(() => attempt(transform, asParsed(event))) }));
  const names = new Set(
    descending(first)
      .slice(0, LOOKED_AT_AGAIN)
      .map(({ name }) => name),
  );
  const rounds = Array.from({ length: ROUNDS }, () => eventsOf((name) => names.has(name)));
  const measured = [...names].map((name) => {
    const events = rounds
      .flatMap((round) => round.filter((one) => one.name === name))
      .map(({ event }) => asParsed(event));
    const ms = msOf(() => {
      for (const event of events) attempt(transform, event);
    });
    return { name, ms: ms / events.length };
  });
  return descending(measured);
}

let words = 0;

/** Uses new keys each time, so that the engine knows no shape of these objects. */
function eventsOf(isWanted = (_name: string) => true): HostileEvent[] {
  words += 1;
  const word = `k${words}_`;
  const long = [...hostileEvents({ ...LONG, word })].map(({ name, event }) => ({ name: `${name}, long`, event }));
  const all = [...hostileEvents({ ...SIZE, word }), ...long];
  return all.filter(({ name, event }) => isWanted(name) && isLetIn(event));
}

const isLetIn = (event: JsonObject) => Buffer.byteLength(JSON.stringify(event)) <= EVENT_BYTES_MAX;

/** The event as a deliverer gets it. */
const asParsed = (event: JsonObject) => JSON.parse(JSON.stringify(event)) as JsonObject;

function attempt(transform: Transform, event: JsonObject): void {
  try {
    transform(event);
  } catch {
    // A refusal costs time too.
  }
}

function msOf(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

const descending = (times: Timed[]): Timed[] => times.toSorted((left, right) => right.ms - left.ms);
