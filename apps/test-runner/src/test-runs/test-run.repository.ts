import { Injectable } from '@nestjs/common';
import { type ListTestRuns, type ReplyOf, TEST_RUNS_PAGE_SIZE, type TestRun } from '@weir/contracts';
import { deleteInPieces } from '@weir/messaging';
import { DataSource } from 'typeorm';

const KEPT_DAYS = 7;
/** Runs kept per workspace. Beyond this number, old runs are deleted early. */
const RUNS_MAX = 1_000;

type Listed = ReplyOf<typeof ListTestRuns>;

interface Row {
  position: string;
  id: string;
  destination_id: string;
  destination_name: string;
  source_id: string | null;
  created_at: Date;
  created_by: string | null;
  passed: boolean | null;
}

export interface NewTestRun extends Omit<TestRun, 'createdAt'> {
  workspaceId: string;
  /** Keys by which regulations find the run. */
  matchKeys: string[];
}

const COLUMNS = 'position, id, destination_id, destination_name, source_id, created_at, created_by, passed';

/** Stores the tests that ran with details. */
@Injectable()
export class TestRunRepository {
  constructor(private readonly database: DataSource) {}

  async add(run: NewTestRun): Promise<void> {
    await this.database.query(
      `INSERT INTO test_runs (id, workspace_id, destination_id, destination_name, source_id, created_by, passed, request,
                              result, match_keys)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        run.id,
        run.workspaceId,
        run.destinationId,
        run.destinationName,
        run.sourceId ?? null,
        run.createdBy ?? null,
        run.passed ?? null,
        JSON.stringify(run.request),
        JSON.stringify(run.result),
        run.matchKeys,
      ],
    );
    await this.database.query(
      `DELETE FROM test_runs WHERE workspace_id = $1 AND position <=
         (SELECT position FROM test_runs WHERE workspace_id = $1 ORDER BY position DESC OFFSET $2 LIMIT 1)`,
      [run.workspaceId, RUNS_MAX],
    );
  }

  /** Newest first. The controller validates the cursor. */
  async list(
    workspaceId: string,
    filter: { destinationId?: string | undefined; sourceId?: string | undefined },
    cursor?: string,
  ): Promise<Listed> {
    const rows = await this.database.query<Row[]>(
      `SELECT ${COLUMNS} FROM test_runs
       WHERE workspace_id = $1 AND position < $2 AND created_at > now() - $3 * interval '1 day'
         AND ($4::text IS NULL OR destination_id = $4) AND ($5::text IS NULL OR source_id = $5)
       ORDER BY position DESC LIMIT $6`,
      [
        workspaceId,
        cursor ?? Number.MAX_SAFE_INTEGER,
        KEPT_DAYS,
        filter.destinationId ?? null,
        filter.sourceId ?? null,
        TEST_RUNS_PAGE_SIZE + 1,
      ],
    );
    const page = rows.slice(0, TEST_RUNS_PAGE_SIZE);
    const last = page.at(-1);
    return { runs: page.map(summaryOf), ...(last && rows.length > page.length && { next: last.position }) };
  }

  async find(workspaceId: string, id: string): Promise<TestRun | undefined> {
    const [row] = await this.database.query<(Row & Pick<TestRun, 'request' | 'result'>)[]>(
      `SELECT ${COLUMNS}, request, result FROM test_runs
       WHERE workspace_id = $1 AND id = $2 AND created_at > now() - $3 * interval '1 day'`,
      [workspaceId, id, KEPT_DAYS],
    );
    return row && { ...summaryOf(row), request: row.request, result: row.result };
  }

  /** Deletes the runs whose messages carry any of these match keys. A workspace has few runs, so one statement suffices. */
  async purge(workspaceId: string, matchKeys: string[]): Promise<void> {
    await this.database.query('DELETE FROM test_runs WHERE workspace_id = $1 AND match_keys && $2::text[]', [
      workspaceId,
      matchKeys,
    ]);
  }

  async removeOld(): Promise<void> {
    await deleteInPieces(
      this.database,
      `DELETE FROM test_runs WHERE position IN (
         SELECT position FROM test_runs WHERE created_at < now() - $1 * interval '1 day' LIMIT $2)`,
      [KEPT_DAYS],
    );
  }
}

const summaryOf = (row: Row) => ({
  id: row.id,
  destinationId: row.destination_id,
  destinationName: row.destination_name,
  ...(row.source_id !== null && { sourceId: row.source_id }),
  createdAt: row.created_at.toISOString(),
  ...(row.created_by !== null && { createdBy: row.created_by }),
  ...(row.passed !== null && { passed: row.passed }),
});
