import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { chunksOf } from '@weir/contracts';
import { failedOf, noteIn, Periodic, type Sql, throwFirst } from '@weir/messaging';
import { CONFIG, Database } from '@weir/service-kit';
import type { CollectorConfig } from '../config.js';
import { alone } from '../sql/alone.js';
import { StatisticsRepository } from '../statistics/statistics.repository.js';
import { StoredBytesRepository } from '../statistics/stored-bytes.repository.js';
import { VersionDeltaRepository } from './version-delta.repository.js';
import { WorkspaceBudget } from './workspace-budget.js';

const EVERY_MS = 3_600_000;
/** A workspace is freed down to this part of its budget, so that it is not over it again at once. */
const LEFT_PART = 0.9;
/** Models of one piece, and the bytes that they may store together. Removed schemas are in memory. One model may have more. */
const MODELS_AT_ONCE = 100;
const BYTES_AT_ONCE = 8_388_608;
/** The newest version tells what the model looks like. */
const VERSIONS_LEFT = 1;
/** Key of the advisory lock under which a collector frees a piece. Any number works if it never changes. */
const RELIEF_LOCK = 7_360_003;

interface Candidate {
  eventId: string;
  bytes: number;
}

/**
 * Frees workspaces that are over their budget, hourly and soon after they went over. Models that were unseen for longest lose their statistics
 * and their versions but one. Totals, days and key facts stay exact.
 */
@Injectable()
export class ReliefService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(ReliefService.name);
  private readonly rounds = new Periodic({
    task: 'free workspaces over their budget',
    everyMs: EVERY_MS,
    run: () => this.relieve(),
    log: this.logger,
    jitter: 0.1,
  });

  constructor(
    private readonly dataSource: Database,
    private readonly storedBytes: StoredBytesRepository,
    private readonly statistics: StatisticsRepository,
    private readonly versions: VersionDeltaRepository,
    private readonly budget: WorkspaceBudget,
    @Inject(CONFIG) private readonly config: Pick<CollectorConfig, 'workspaceBytesMax'>,
  ) {}

  onApplicationBootstrap(): void {
    this.budget.onOver = () => void this.rounds.run();
    this.rounds.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.rounds.stop();
  }

  /** A workspace that fails holds up no other. */
  async relieve(): Promise<void> {
    const over = await this.storedBytes.above(this.dataSource, this.config.workspaceBytesMax);
    for (const workspace of over) this.budget.learn(workspace);
    const failures: unknown[] = [];
    for (const { workspaceId } of over) {
      await this.relieveOne(workspaceId).catch(noteIn(failures));
    }
    await this.budget.ask(this.budget.over);
    throwFirst(failures);
  }

  private async relieveOne(workspaceId: string): Promise<void> {
    const failed = new Map<string, unknown>();
    let models = 0;
    let isMine = true;
    while (isMine && !this.rounds.isStopped) {
      const eventIds = await this.piece(workspaceId, [...failed.keys()]);
      if (eventIds.length === 0) break;
      const failedHere = await failedOf(eventIds, async (some) => {
        isMine = await this.free(some);
        if (isMine) models += some.length;
      });
      for (const [eventId, error] of failedHere) failed.set(eventId, error);
    }
    if (models > 0) this.logger.log(`removed the statistics of ${models} models of workspace ${workspaceId}`);
    throwFirst(failed.values());
  }

  /** The next models to free, in order of their last event. None if the workspace has room, or nothing to free. */
  private async piece(workspaceId: string, failed: readonly string[]): Promise<string[]> {
    const [workspace] = await this.storedBytes.ofWorkspaces(this.dataSource, [workspaceId]);
    const excess = (workspace?.bytes ?? 0) - LEFT_PART * this.config.workspaceBytesMax;
    if (excess <= 0) return [];
    const candidates = await this.candidates(workspaceId, failed);
    const bytesMax = Math.min(excess, BYTES_AT_ONCE);
    const [piece = []] = chunksOf(candidates, { bytesMax, bytesOf: ({ bytes }) => bytes });
    return piece.map(({ eventId }) => eventId);
  }

  private async candidates(workspaceId: string, failed: readonly string[]): Promise<Candidate[]> {
    const { rows } = await this.dataSource.run<Candidate>(
      `SELECT event_id AS "eventId", coalesce(stored_bytes, 0)::float8 AS bytes
       FROM (
         SELECT event_id, stored_bytes FROM models WHERE workspace_id = $1 ORDER BY last_seen, event_id OFFSET 0
       ) AS oldest
       WHERE event_id <> ALL($2::uuid[]) AND (
         EXISTS (SELECT FROM statistics WHERE statistics.event_id = oldest.event_id)
         OR EXISTS (SELECT FROM statistics_parts AS parts WHERE parts.event_id = oldest.event_id)
         OR EXISTS (SELECT FROM versions WHERE versions.event_id = oldest.event_id OFFSET ${VERSIONS_LEFT}))
       LIMIT $3`,
      [workspaceId, failed, MODELS_AT_ONCE],
    );
    return rows;
  }

  /** Returns whether it did. Otherwise another collector is at it, which goes on by itself. */
  private free(eventIds: readonly string[]): Promise<boolean> {
    return alone(this.dataSource, RELIEF_LOCK, (sql) => this.freeLocked(sql, eventIds));
  }

  /** Waits for flushes that hold the locks of models. */
  private async freeLocked(sql: Sql, eventIds: readonly string[]): Promise<void> {
    await sql.run(`SELECT FROM models WHERE event_id = ANY($1::uuid[]) ORDER BY event_id FOR UPDATE`, [eventIds]);
    await this.versions.keepLatest(sql, eventIds, VERSIONS_LEFT);
    await this.statistics.empty(sql, eventIds);
    await this.storedBytes.count(sql, eventIds);
  }
}
