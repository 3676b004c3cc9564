import type { JsonObject } from '@weir/contracts';
import type { Contributor } from './contributors.js';
import type { Leaves, Scalar } from './flatten.js';
import { MODEL_COUNTERS_MAX } from './limits.js';
import type { Path } from './path-trie.js';
import { EventSample } from './sample.js';
import type { StoredStatistics } from './statistics.js';
import { encodeCounters } from './stored-counters.js';
import { ValueCounter } from './value-counter.js';

/** Observations that cannot change a result. Skipping them only saves time. */
export interface Vain {
  /** Events with a priority up to this win no place in the version's sample. */
  sampleFloor: number;
  /** Paths that both the version and its model ignore for good. */
  paths: ReadonlySet<string>;
}

/** Values and samples of one version's events within one flush. They are part of the version's and of the model's statistics. */
export class ObservedStatistics {
  private readonly byPath = new Map<string, ValueCounter<Scalar>>();
  /** Paths of the previous event. Events of one version nearly always list their keys in one order. */
  private readonly paths: Path[] = [];
  private readonly counters: (ValueCounter<Scalar> | undefined)[] = [];
  private readonly samples: EventSample;

  constructor(private readonly vain?: Vain) {
    this.samples = new EventSample(Math.random, vain?.sampleFloor);
  }

  observe(event: JsonObject, { length, paths, values }: Leaves, by?: Contributor): void {
    for (let at = 0; at < length; at += 1) {
      const path = paths[at] as Path;
      const counter = this.paths[at] === path ? this.counters[at] : this.find(at, path);
      counter?.observe(values[at] as Scalar, by);
    }
    this.samples.offer(event);
  }

  encode(): StoredStatistics {
    return { values: encodeCounters(this.byPath), samples: this.samples.encode() };
  }

  private find(at: number, path: Path): ValueCounter<Scalar> | undefined {
    let counter = this.byPath.get(path.text);
    if (!counter && !this.vain?.paths.has(path.text) && this.byPath.size < MODEL_COUNTERS_MAX) {
      counter = new ValueCounter();
      this.byPath.set(path.text, counter);
    }
    this.paths[at] = path;
    this.counters[at] = counter;
    return counter;
  }
}
