import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Periodic } from '@weir/messaging';
import { clientNetwork } from './request.js';
import { HttpProblem } from './status.js';

/** Interval of checks. Times are exact to this. */
const SWEEP_MS = 1_000;
/** Within any window of this many sweeps, a body must make progress. */
const STALL_SWEEPS = 5;
/** Minimum progress. No honest client is slower, and slower bodies hold memory that others need. */
export const PROGRESS_BYTES_PER_S = 1_024;
/** A body is slow after this many sweeps. Most bodies arrive with their headers. */
const SLOW_SWEEPS = 2;
/** Slow bodies in progress per address. Above this limit, the oldest are cut. */
export const SLOW_PER_ADDRESS_MAX = 16;

/** Bytes that the slow bodies of an address may hold together: an eighth of the intake's limit. */
export const SLOW_BYTES_PER_ADDRESS_MAX = 4_194_304;

/** A body in progress. */
export interface Watched {
  /** The reader of the body updates this. */
  bytes: number;
}

interface Entry extends Watched {
  address: string;
  cut(refusal: HttpProblem): void;
  /** Bytes at the last sweeps, newest last. */
  seen: number[];
  sweeps: number;
}

/** Cuts bodies that arrive too slowly, or are too many from one address. They get 408. */
@Injectable()
export class SlowBodies implements OnModuleDestroy {
  /** In order of their start. */
  private readonly underWay = new Set<Entry>();
  private readonly sweeps = new Periodic({
    task: 'cut slow bodies',
    everyMs: SWEEP_MS,
    run: () => this.sweep(),
    log: new Logger(SlowBodies.name),
  });

  constructor() {
    this.sweeps.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.sweeps.stop();
  }

  /** Calls `cut` at most once, and never after `end`. */
  begin(address: string, cut: (refusal: HttpProblem) => void): Watched {
    const entry: Entry = { address: clientNetwork(address), cut, bytes: 0, seen: [], sweeps: 0 };
    this.underWay.add(entry);
    return entry;
  }

  end(watched: Watched): void {
    this.underWay.delete(watched as Entry);
  }

  private sweep(): void {
    const slowOf = new Map<string, Entry[]>();
    for (const entry of this.underWay) {
      entry.sweeps += 1;
      if (isStalled(entry)) this.cut(entry);
      else if (entry.sweeps > SLOW_SWEEPS) slowOf.set(entry.address, [...(slowOf.get(entry.address) ?? []), entry]);
    }
    for (const slow of slowOf.values()) for (const entry of tooMany(slow)) this.cut(entry);
  }

  private cut(entry: Entry): void {
    this.underWay.delete(entry);
    entry.cut(tooSlow());
  }
}

/** The bodies of one address to cut: beyond its limits, the oldest ones. */
function tooMany(slow: Entry[]): Entry[] {
  let [count, bytes] = [0, 0];
  return slow.toReversed().filter((entry) => {
    count += 1;
    bytes += entry.bytes;
    return count > SLOW_PER_ADDRESS_MAX || bytes > SLOW_BYTES_PER_ADDRESS_MAX;
  });
}

function isStalled({ seen, bytes }: Entry): boolean {
  seen.push(bytes);
  if (seen.length <= STALL_SWEEPS) return false;
  const [before = 0] = seen.splice(0, 1);
  return bytes - before < (PROGRESS_BYTES_PER_S * STALL_SWEEPS * SWEEP_MS) / 1_000;
}

const tooSlow = () =>
  new HttpProblem(
    408,
    'REQUEST_TIMEOUT',
    `The body arrived too slowly: send at least ${PROGRESS_BYTES_PER_S} bytes a second, and fewer bodies at a time`,
  );
