import type { Metrics } from '@weir/service-kit';

/** `without_event`: listed with its reason, but it cannot be sent again. `counted`: no row either. */
export type Kept = 'whole' | 'without_event' | 'counted';

/** Letters without their event may take this part of a workspace's bytes in addition. */
const WITHOUT_EVENT_PART = 1 / 8;
const DAY_MS = 86_400_000;

export interface WorkspaceSize {
  workspaceId: string;
  bytes: number;
}

/**
 * Bounds the bytes that the dead letters of a workspace take in a day (UTC). One event may fail at thousands of destinations, and each
 * keeps it for weeks, so without a bound one workspace fills the database of all.
 */
export class DeadLetterBudget {
  private readonly letters;
  private day = today();
  /** Bytes that workspaces have written today, as the database said last. */
  private readonly written = new Map<string, number>();
  private readonly underWay = new Map<string, number>();

  constructor(
    private readonly dayBytes: number,
    metrics: Pick<Metrics, 'counter'>,
  ) {
    this.letters = metrics.counter({
      name: 'weir_dead_letters_total',
      help: 'Dead letters by what is kept of them: whole, without_event or counted (a number alone)',
      labelNames: ['kept'],
      zeros: [{ kept: 'whole' }, { kept: 'without_event' }, { kept: 'counted' }],
    });
  }

  /** Whether no further event of the workspace is kept today. */
  isFull(workspaceId: string): boolean {
    return this.usedBy(workspaceId) >= this.dayBytes;
  }

  /** Takes room for a letter until `ended`, or returns false. */
  take(workspaceId: string, bytes: number, kept: Exclude<Kept, 'counted'>): boolean {
    const bytesMax = kept === 'whole' ? this.dayBytes : this.dayBytes * (1 + WITHOUT_EVENT_PART);
    if (this.usedBy(workspaceId) + bytes > bytesMax) return false;
    add(this.underWay, workspaceId, bytes);
    return true;
  }

  /** The write for which a letter took room has ended. */
  ended(workspaceId: string, bytes: number): void {
    add(this.underWay, workspaceId, -bytes);
  }

  /** Learns what a workspace has written today. */
  learn(workspaceId: string, bytes: number): void {
    this.written.set(workspaceId, bytes);
  }

  count(kept: Kept): void {
    this.letters.inc({ kept });
  }

  private usedBy(workspaceId: string): number {
    if (this.day !== today()) this.written.clear();
    this.day = today();
    return (this.written.get(workspaceId) ?? 0) + (this.underWay.get(workspaceId) ?? 0);
  }
}

const today = () => Math.floor(Date.now() / DAY_MS);

function add(sums: Map<string, number>, key: string, bytes: number): void {
  const sum = (sums.get(key) ?? 0) + bytes;
  if (sum === 0) sums.delete(key);
  else sums.set(key, sum);
}
