import { setImmediate } from 'node:timers/promises';
import { SHARED_CALLERS_MAX, SHARED_EVENTS_BYTES_MAX, SHARED_RUN_MS, SLICE_BYTES } from '../limits.js';
import { groupsOf } from '../wire/outcome.js';
import type { FullTask } from '../wire/protocol.js';
import type { Job } from './job.js';
import type { Answered, LastRun } from './sandbox-child.js';

/**
 * A run that several callers may share if their code and credentials match. A context per caller would cost more than most
 * events. Only code that the child ran last, and that was fast, is shared.
 */
export class SharedRun {
  readonly jobs: Job[];
  private readonly startedAt = performance.now();
  private readonly eventsMax: number;
  private count: number;
  private bytes: number;

  constructor(
    private readonly first: Job,
    last: LastRun,
  ) {
    this.jobs = [first];
    this.count = first.work.events.length;
    this.bytes = bytesOf(first);
    const isKnown = first.work.isShareable && last.identity === first.identity;
    this.eventsMax = isKnown ? SHARED_RUN_MS / last.msPerEvent : 0;
  }

  /** Reserves a place for the job if it fits. */
  accepts(job: Job): boolean {
    const { work, identity, limitMs } = job;
    if (!work.isShareable || identity !== this.first.identity || limitMs !== this.first.limitMs) return false;
    const count = this.count + work.events.length;
    const bytes = this.bytes + bytesOf(job);
    if (count > this.eventsMax || bytes > SHARED_EVENTS_BYTES_MAX || this.jobs.length >= SHARED_CALLERS_MAX)
      return false;
    this.jobs.push(job);
    [this.count, this.bytes] = [count, bytes];
    return true;
  }

  get events(): Buffer[] {
    return this.jobs.flatMap(({ work }) => work.events);
  }

  taskOf(id: number): FullTask {
    const { work, digest, limitMs } = this.first;
    const { action, bundle, isPartial, collectLogs, allowFetch, credentials } = work;
    const groups = this.jobs.map((job) => job.work.events.map(({ length }) => length));
    return { id, action, digest, bundle, groups, isPartial, collectLogs, allowFetch, credentials, limitMs };
  }

  /**
   * Gives each caller its results, or an empty buffer if they are missing or invalid. Yields before long results, so that
   * untrusted code cannot block the supervisor.
   */
  async settle({ id: _id, outcome, ...answer }: Answered): Promise<void> {
    const groups = groupsOf(outcome);
    const wasShared = this.jobs.length > 1;
    for (const job of this.jobs) {
      const group = groups.next().value ?? NOTHING;
      if (group.length > SLICE_BYTES) await setImmediate();
      job.settle({ ...answer, outcome: group, wasShared });
    }
  }

  measured(): LastRun {
    const msPerEvent = (performance.now() - this.startedAt) / Math.max(1, this.count);
    return { identity: this.first.identity, msPerEvent };
  }
}

const NOTHING = Buffer.alloc(0);
const bytesOf = ({ work }: Job) => work.events.reduce((sum, { length }) => sum + length, 0);
