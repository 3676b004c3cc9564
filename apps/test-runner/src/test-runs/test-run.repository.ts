import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { type JsonObject, type ListTestRuns, type ReplyOf, TEST_RUNS_PAGE_SIZE, type TestRun } from '@weir/contracts';
import { Periodic, removeRows } from '@weir/messaging';
import { Database } from '@weir/service-kit';
import { Column, Entity, Index, LessThan, MoreThan, PrimaryGeneratedColumn, Unique } from 'typeorm';

const KEPT_DAYS = 7;
const DAY_MS = 86_400_000;
/** Runs kept per workspace. Beyond this number, old runs are deleted early. */
const RUNS_MAX = 1_000;

type Listed = ReplyOf<typeof ListTestRuns>;

/** A test that ran with details. Secrets are stored as `***`. */
@Entity('test_runs')
@Unique(['id'])
@Index('test_runs_listed', ['workspaceId', 'position'])
@Index('test_runs_match', { synchronize: false })
@Index('test_runs_age', ['createdAt'])
export class TestRunEntity {
  /** Order of creation. */
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  declare position: string;

  @Column({ type: 'text' })
  declare id: string;

  @Column({ name: 'workspace_id', type: 'text' })
  declare workspaceId: string;

  @Column({ name: 'destination_id', type: 'text' })
  declare destinationId: string;

  @Column({ name: 'destination_name', type: 'text' })
  declare destinationName: string;

  /** Set for a test of a source. */
  @Column({ name: 'source_id', type: 'text', nullable: true })
  declare sourceId: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  declare createdAt: Date;

  @Column({ name: 'created_by', type: 'text', nullable: true })
  declare createdBy: string | null;

  /** Set for a test that expected something. */
  @Column({ type: 'boolean', nullable: true })
  declare passed: boolean | null;

  /** `json` keeps what `jsonb` refuses, such as a NUL. Lists leave both out. */
  @Column({ type: 'json', select: false })
  declare request: JsonObject;

  @Column({ type: 'json', select: false })
  declare result: JsonObject;

  /** Keys by which regulations find the run: `name=value`. */
  @Column({ name: 'match_keys', type: 'text', array: true, select: false })
  declare identifiers: string[];
}

export interface NewTestRun extends Omit<TestRun, 'createdAt'> {
  workspaceId: string;
  identifiers: string[];
}

/** Stores the tests that ran with details. */
@Injectable()
export class TestRunRepository {
  constructor(private readonly database: Database) {}

  async add(run: NewTestRun): Promise<void> {
    await this.runs.insert(run as object);
    await this.database.run(
      `DELETE FROM test_runs WHERE workspace_id = $1 AND position <=
         (SELECT position FROM test_runs WHERE workspace_id = $1 ORDER BY position DESC OFFSET $2 LIMIT 1)`,
      [run.workspaceId, RUNS_MAX],
    );
  }

  /** Newest first. The controller validates the cursor. */
  async list(
    workspaceId: string,
    { destinationId, sourceId }: { destinationId?: string | undefined; sourceId?: string | undefined },
    cursor?: string,
  ): Promise<Listed> {
    const found = await this.runs.find({
      where: {
        ...{ workspaceId, ...kept() },
        ...(cursor !== undefined && { position: LessThan(cursor) }),
        ...(destinationId !== undefined && { destinationId }),
        ...(sourceId !== undefined && { sourceId }),
      },
      order: { position: 'DESC' },
      take: TEST_RUNS_PAGE_SIZE + 1,
    });
    const page = found.slice(0, TEST_RUNS_PAGE_SIZE);
    const last = page.at(-1);
    return { runs: page.map(summaryOf), ...(last && found.length > page.length && { next: last.position }) };
  }

  async find(workspaceId: string, id: string): Promise<TestRun | undefined> {
    const run = await this.runs.findOne({ where: { workspaceId, id, ...kept() }, select: WHOLE });
    return run ? { ...summaryOf(run), request: run.request, result: run.result } : undefined;
  }

  /** Deletes the runs whose messages carry any of these match keys. A workspace has few runs, so one statement suffices. */
  async purge(workspaceId: string, identifiers: string[]): Promise<void> {
    await this.database.run('DELETE FROM test_runs WHERE workspace_id = $1 AND match_keys && $2::text[]', [
      workspaceId,
      identifiers,
    ]);
  }

  async removeOld(): Promise<void> {
    await removeRows(this.database, 'test_runs', `created_at < now() - $1 * interval '1 day'`, [KEPT_DAYS]);
  }

  private get runs() {
    return this.database.getRepository(TestRunEntity);
  }
}

/** Everything that an answer shows. `select` also names columns that lists leave out. */
const WHOLE = {
  ...{ id: true, destinationId: true, destinationName: true, sourceId: true, createdAt: true, createdBy: true },
  ...{ passed: true, request: true, result: true },
} as const;

const kept = () => ({ createdAt: MoreThan(new Date(Date.now() - KEPT_DAYS * DAY_MS)) });

const summaryOf = ({ id, destinationId, destinationName, sourceId, createdAt, createdBy, passed }: TestRunEntity) => ({
  ...{ id, destinationId, destinationName },
  ...(sourceId !== null && { sourceId }),
  createdAt: createdAt.toISOString(),
  ...(createdBy !== null && { createdBy }),
  ...(passed !== null && { passed }),
});

const INTERVAL_MS = 3_600_000;

/** Deletes expired test runs once an hour. Several processes may do so at once. */
@Injectable()
export class TestRunExpiry implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly rounds;

  constructor(runs: TestRunRepository) {
    this.rounds = new Periodic({
      task: 'remove expired test runs',
      everyMs: INTERVAL_MS,
      run: () => runs.removeOld(),
      log: new Logger(TestRunExpiry.name),
      jitter: 0.1,
    });
  }

  onApplicationBootstrap(): void {
    this.rounds.start();
    void this.rounds.run(); // a process may never run for an hour
  }

  onModuleDestroy(): Promise<void> {
    return this.rounds.stop();
  }
}
