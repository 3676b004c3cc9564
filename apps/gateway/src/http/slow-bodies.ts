import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { clientNetwork } from './client-network.js';
import { HttpProblem } from './problem.js';

/** How often bodies under way are looked at: their times are exact to this. */
const SWEEP_MS = 1_000;
/** In any stretch of this many sweeps a body has to make progress. */
const STALL_SWEEPS = 5;
/** The least progress: nobody who means it is slower, and who is slower holds memory that others need. */
export const PROGRESS_BYTES_PER_S = 1_024;
/** A body that takes longer than so many sweeps is slow: most arrive with their headers. */
const SLOW_SWEEPS = 2;
/** Slow bodies that one address may have under way; beyond them those are cut that take longest. */
export const SLOW_PER_ADDRESS_MAX = 16;

/** Bytes that they may hold together: an eighth of what the intake may hold. */
export const SLOW_BYTES_PER_ADDRESS_MAX = 4_194_304;

/** A body under way. */
export interface Watched {
  /** Counted by who reads it. */
  bytes: number;
}

interface Entry extends Watched {
  address: string;
  cut(refusal: HttpProblem): void;
  /** Bytes at the last sweeps, the newest last. */
  seen: number[];
  sweeps: number;
}

/** Cuts bodies that arrive too slowly, or too many at a time from one address. What is cut is answered with 408. */
@Injectable()
export class SlowBodies implements OnModuleDestroy {
  /** In the order in which they began. */
  private readonly underWay = new Set<Entry>();
  private readonly timer = setInterval(() => this.sweep(), SWEEP_MS).unref();

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /** `cut` is called at most once, and never after `end`. */
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

/** Those of one address that have to go, which are under way for longest. */
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
