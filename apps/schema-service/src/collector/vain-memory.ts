import type { Vain } from '../aggregation/observed-statistics.js';

/** Versions that are remembered; each costs some kilobytes. */
const VERSIONS_MAX = 5_000;

interface Remembered extends Vain {
  /** Row of the version: one that was removed and came back is another, and starts anew. */
  row: number;
}

/** What this process knows to be in vain for the versions that it counts. Least recently learnt goes first. */
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

  /** Whether nothing is known of the version, or of this very row. Forgets what is known of another. */
  holdsFor(versionId: string, row: number): boolean {
    const known = this.versions.get(versionId);
    if (!known || known.row === row) return true;
    this.versions.delete(versionId);
    return false;
  }
}
