import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { chunksOf, TRACES_WORKSPACE_DAY_BYTES } from '@weir/contracts';
import { Periodic } from '@weir/messaging';
import { Metrics } from '@weir/service-kit';
import { type EventUsers, SuppressionCheck } from '../checks/suppression-check.js';
import { TraceRepository, type WrittenRow } from './trace.repository.js';
import type { Arrival, TraceRow } from './trace-row.js';

const FLUSH_MS = 500;
/** Steps that wait. Beyond it they are dropped, so a slow database never takes the memory of deliveries. */
const WAITING_BYTES_MAX = 4_194_304;
/** Rows of one statement. */
const ROWS_MAX = 1_000;
/**
 * An older step is dropped. A deletion removes steps 12 s after it stopped the events of a user, so whatever is written must be
 * written by then: 5 s here, and 5 s of statement.
 */
const AGE_MAX_MS = 5_000;
/** Memory of a row beside its JSON. */
const ROW_BYTES = 256;
const DAY_MS = 86_400_000;

interface Waiting extends WrittenRow {
  at: number;
  /** Set for an arrival, which nobody has checked since the filter. */
  users: EventUsers | undefined;
}

/** Writes steps in the background. Nothing waits for it, and what cannot be written soon is dropped and counted. */
@Injectable()
export class TraceWriter implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(TraceWriter.name);
  private readonly rows;
  private waiting: Waiting[] = [];
  private bytes = 0;
  private readonly flushes = new Periodic({
    task: 'keep steps of events',
    everyMs: FLUSH_MS,
    run: () => this.flush(),
    log: this.logger,
    runsAtStop: true,
  });
  /** The day, as a number, on which a workspace has used up its bytes. */
  private readonly full = new Map<string, number>();

  constructor(
    private readonly repository: TraceRepository,
    private readonly suppression: SuppressionCheck,
    metrics: Metrics,
  ) {
    this.rows = metrics.counter({
      name: 'weir_trace_steps_total',
      help: 'Steps of traced events, by outcome: written or dropped',
      labelNames: ['outcome'],
    });
  }

  onApplicationBootstrap(): void {
    this.flushes.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.flushes.stop();
  }

  /** Whether the workspace has used up its bytes of today. */
  isFull(workspaceId: string): boolean {
    return this.full.get(workspaceId) === today();
  }

  /** With `users`, the row is stripped of its user if that user is suppressed by then. */
  add({ step, ...row }: TraceRow, users?: EventUsers): void {
    const json = JSON.stringify(step);
    if (this.bytes > WAITING_BYTES_MAX) {
      this.rows.inc({ outcome: 'dropped' });
      return;
    }
    this.bytes += json.length + ROW_BYTES;
    this.waiting.push({ ...row, json, at: Date.now(), users });
  }

  private async flush(): Promise<void> {
    const waiting = this.waiting;
    this.waiting = [];
    this.bytes = 0;
    for (const rows of chunksOf(waiting, { itemsMax: ROWS_MAX })) await this.write(rows);
  }

  private async write(rows: Waiting[]): Promise<void> {
    try {
      const checked = await this.checkedOf(rows);
      let written = 0;
      const rowsNow = () => {
        const fresh = checked.filter(({ at }) => Date.now() - at < AGE_MAX_MS);
        written = fresh.length;
        return fresh;
      };
      for (const { workspaceId, bytes } of await this.repository.add(rowsNow)) {
        if (bytes > TRACES_WORKSPACE_DAY_BYTES) this.full.set(workspaceId, today());
      }
      this.rows.inc({ outcome: 'written' }, written);
      this.rows.inc({ outcome: 'dropped' }, rows.length - written);
    } catch (error) {
      this.rows.inc({ outcome: 'dropped' }, rows.length);
      this.logger.warn(`steps of events are not kept: ${(error as Error).message}`);
    }
  }

  /** Leaves out the rows whose user could not be checked. They are counted as dropped, as whatever else is not written. */
  private async checkedOf(rows: readonly Waiting[]): Promise<Waiting[]> {
    const answers = await Promise.allSettled(rows.map((row) => this.checked(row)));
    const failed = answers.find((answer) => answer.status === 'rejected');
    if (failed) this.logger.warn(`some steps of events are not kept: ${(failed.reason as Error).message}`);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  }

  /** A batch that hung on its way may hold a user who was deleted meanwhile. */
  private async checked(row: Waiting): Promise<Waiting> {
    const { users, userKey: _, matchKeys: __, ...rest } = row;
    if (!users || !(await this.suppression.isSuppressed(users))) return row;
    const { receivedAt, routes = [] }: Arrival = JSON.parse(row.json);
    const blind: Arrival = { step: 'accepted', receivedAt, routes };
    return { ...rest, users, json: JSON.stringify(blind) };
  }
}

const today = () => Math.floor(Date.now() / DAY_MS);
