import type { Vain } from '../aggregation/observed-statistics.js';

/** Versions to remember. Each costs some kilobytes. */
const VERSIONS_MAX = 5_000;

interface Remembered extends Vain {
  /** Row id of the version. A version that was removed and came back has another row and starts anew. */
  row: number;
}

/** Remembers what each version's statistics may skip (see `Vain`). Drops the least recently learnt version first. */
export class VainMemory {
  private readonly versions = new Map<string, Remembered>();

  of(versionId: string): Vain | undefined {
    return this.versions.get(versionId);
  }

  learn(versionId: string, row: number, vain: Vain): void {
    this.versions.delete(versionId);
    this.versions.set(versionId, { ...vain, row });
    if (this.versions.size <= VERSIONS_MAX) return;
    for (const oldest of this.versions.keys()) {
      this.versions.delete(oldest);
      return;
    }
  }

  /** False if the memory describes another row of the version. Forgets it in that case. */
  holdsFor(versionId: string, row: number): boolean {
    const known = this.versions.get(versionId);
    if (!known || known.row === row) return true;
    this.versions.delete(versionId);
    return false;
  }
}
