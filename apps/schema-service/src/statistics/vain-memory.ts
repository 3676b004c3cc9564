import { LRUCache } from 'lru-cache';
import { SAMPLES_MAX } from '../aggregation/limits.js';
import type { Vain } from '../aggregation/statistics.js';

/** The result of a fold or a flush for a version. */
export type FoundVain = Omit<Vain, 'row'>;

/** Memory of all versions. A version costs more the more of its paths are ignored. */
const BYTES_MAX = 16_777_216;
const BYTES_OF_A_VERSION = 400;
const BYTES_OF_A_PATH = 80;

/** Remembers what each version's statistics may skip (see `Vain`). Drops the least recently learnt version first. */
export class VainMemory {
  private readonly versions = new LRUCache<string, Vain>({
    maxSize: BYTES_MAX,
    sizeCalculation: ({ paths }) => BYTES_OF_A_VERSION + BYTES_OF_A_PATH * paths.size,
  });

  of(versionId: string): Vain | undefined {
    return this.versions.peek(versionId);
  }

  /** Learns what the stored statistics of a version hold. */
  learn(versionId: string, vain: Vain): void {
    this.versions.set(versionId, vain);
  }

  /** Learns that these samples were added to a version. The stored sample then has priorities at least as high. */
  learnSamples(versionId: string, row: string, added: readonly number[]): void {
    const found = this.versions.peek(versionId);
    const { priorities, paths }: FoundVain = found?.row === row ? found : NOTHING;
    if (found && added.length === 0) return;
    const highest = [...priorities, ...added].sort((left, right) => right - left).slice(0, SAMPLES_MAX);
    this.versions.set(versionId, { row, paths, priorities: highest });
  }

  forget(versionId: string): void {
    this.versions.delete(versionId);
  }
}

const NOTHING: FoundVain = { priorities: [], paths: new Set() };
