import { createHash } from 'node:crypto';
import type { DeletionProgress } from '../../kind.js';
import type { S3Settings } from './s3.client.js';

/** Objects between two saved positions. A kill repeats some seconds of work, and saving writes a row for each user. */
const NOTE_EVERY = 250;

/** Result of one object. */
export type Visit = 'read' | 'skipped' | 'unreadable';

/** The saved position: every object up to `after`, in list order, is done and counted. */
interface Reached {
  place: string;
  after: string;
  counts: Record<Visit, number>;
}

/**
 * Tracks the progress of a scan. Stores list keys in byte order, so one key is enough, although several objects are processed at
 * a time. An interrupted scan starts over if a store lists in another order, or after the bucket of the configuration changed.
 */
export class ScanProgress {
  readonly counts: Record<Visit, number>;
  private after: string;
  private readonly place: string;
  /** In list order. Undefined means in progress. */
  private readonly begun = new Map<string, Visit | undefined>();
  private last = '';
  /** Whether the saved position is of use. */
  isOrdered = true;
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

  /** The key after which the listing continues. Empty means from the start. */
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

  /** A failed save costs only time. */
  async note(): Promise<void> {
    this.unnoted = 0;
    const reached = this.isOrdered ? { after: this.after, counts: this.counts } : NOTHING;
    await this.progress?.keep(JSON.stringify({ place: this.place, ...reached })).catch(() => undefined);
  }
}

const NOTHING: Omit<Reached, 'place'> = { after: '', counts: { read: 0, skipped: 0, unreadable: 0 } };
