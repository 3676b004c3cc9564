import { createHash } from 'node:crypto';
import type { DeletionProgress } from '../kind.js';
import type { S3Settings } from './s3.settings.js';

/** Objects between two notes: a kill repeats some seconds, and a note writes a row for each user. */
const NOTE_EVERY = 250;

/** What came of one object. */
export type Visit = 'read' | 'skipped' | 'unreadable';

/** What is kept: everything up to `after`, in the order of the listing, is done and counted. */
interface Reached {
  place: string;
  after: string;
  counts: Record<Visit, number>;
}

/**
 * How far a scan is. Stores list keys in the order of their bytes, so one key says it all, although several objects are in hand
 * at a time. Where a store does not, or after another bucket was configured, a scan begins anew.
 */
export class ScanProgress {
  readonly counts: Record<Visit, number>;
  private after: string;
  private readonly place: string;
  /** In the order of the listing; undefined: still in hand. */
  private readonly begun = new Map<string, Visit | undefined>();
  private last = '';
  private isOrdered = true;
  private unnoted = 0;

  constructor(
    private readonly progress: DeletionProgress | undefined,
    { endpoint = '', bucket, prefix }: Pick<S3Settings, 'endpoint' | 'bucket' | 'prefix'>,
  ) {
    this.place = createHash('sha256')
      .update(JSON.stringify([endpoint, bucket, prefix]))
      .digest('base64url');
    const reached = progress?.reached === undefined ? undefined : (JSON.parse(progress.reached) as Reached);
    const { after, counts } = reached?.place === this.place ? reached : NOTHING;
    this.after = after;
    this.counts = { ...counts };
  }

  /** The key behind which the listing goes on; empty: from the first. */
  get startAfter(): string {
    return this.after;
  }

  begin(key: string): void {
    this.isOrdered &&= Buffer.compare(Buffer.from(this.last), Buffer.from(key)) < 0;
    this.last = key;
    this.begun.set(key, undefined);
  }

  async end(key: string, visit: Visit): Promise<void> {
    this.begun.set(key, visit);
    for (const [oldest, found] of this.begun) {
      if (found === undefined) break;
      this.begun.delete(oldest);
      this.counts[found] += 1;
      this.after = oldest;
      this.unnoted += 1;
    }
    if (this.unnoted >= NOTE_EVERY) await this.note();
  }

  /** A note that is lost costs time only. */
  private async note(): Promise<void> {
    this.unnoted = 0;
    const reached = this.isOrdered ? { after: this.after, counts: this.counts } : NOTHING;
    await this.progress?.keep(JSON.stringify({ place: this.place, ...reached })).catch(() => undefined);
  }
}

const NOTHING: Omit<Reached, 'place'> = { after: '', counts: { read: 0, skipped: 0, unreadable: 0 } };
