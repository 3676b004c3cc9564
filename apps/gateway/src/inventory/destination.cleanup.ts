import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { AbortDestinationTasks, DeleteLink, isAppError } from '@weir/contracts';
import { Periodic, RpcClient } from '@weir/messaging';
import { Database, type Transaction } from '@weir/service-kit';

interface Cleanup {
  workspaceId: string;
  destinationId: string;
}

const POLL_MS = 5_000;
/** First retry delay for an unavailable service. It doubles with each attempt. */
const BACKOFF_S = 2;
const BACKOFF_S_MAX = 300;
const ROUND_MAX = 50;
/** Longest wait for the caller of a delete. Slower clean-ups finish later. */
const CALL_TIMEOUT_MS = 1_000;

/**
 * Cleans up what a deleted destination leaves in other services: its link to a transformation and its deletion tasks. Does not
 * use the outbox, because an unavailable service must not delay inventory changes. Idempotent: repeats until both services have
 * answered.
 */
@Injectable()
export class DestinationCleanup implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(DestinationCleanup.name);
  private readonly rounds = new Periodic({
    task: 'clean up after deleted destinations',
    everyMs: POLL_MS,
    run: () => this.runDue(),
    log: this.logger,
  });

  constructor(
    private readonly database: Database,
    private readonly rpc: RpcClient,
  ) {}

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.rounds.stop();
  }

  async add(tx: Transaction, { workspaceId, destinationId }: Cleanup): Promise<void> {
    const sql = 'INSERT INTO destination_cleanups (workspace_id, destination_id) VALUES ($1, $2)';
    await tx.run(sql, [workspaceId, destinationId]);
  }

  /** Never throws. Failed clean-ups stay due. */
  async runDue(): Promise<void> {
    try {
      const due = await this.claim();
      await Promise.all(due.map((cleanup) => this.finish(cleanup)));
    } catch (error) {
      this.logger.warn(`clean-up of deleted destinations will try again: ${(error as Error).message}`);
    }
  }

  /** Postpones each clean-up first, so that no other gateway takes it and a crash only delays it. */
  private async claim(): Promise<Cleanup[]> {
    const { rows } = await this.database.run<Cleanup>(
      `UPDATE destination_cleanups SET attempts = attempts + 1,
         due_at = now() + least($1 * power(2, least(attempts, 20)), $2) * interval '1 second'
       WHERE destination_id IN (
         SELECT destination_id FROM destination_cleanups WHERE due_at <= now() ORDER BY due_at LIMIT ${ROUND_MAX}
         FOR UPDATE SKIP LOCKED)
       RETURNING workspace_id AS "workspaceId", destination_id AS "destinationId"`,
      [BACKOFF_S, BACKOFF_S_MAX],
    );
    return rows;
  }

  private async finish(cleanup: Cleanup): Promise<void> {
    const options = { deadlineMs: CALL_TIMEOUT_MS };
    try {
      await Promise.all([
        this.rpc.send(DeleteLink, cleanup, options).catch(ignoreNotFound),
        this.rpc.send(AbortDestinationTasks, cleanup, options),
      ]);
      const sql = 'DELETE FROM destination_cleanups WHERE workspace_id = $1 AND destination_id = $2';
      await this.database.run(sql, [cleanup.workspaceId, cleanup.destinationId]);
    } catch (error) {
      this.logger.warn(`clean-up of destination ${cleanup.destinationId} will try again: ${(error as Error).message}`);
    }
  }
}

function ignoreNotFound(error: unknown): void {
  if (!isAppError(error) || error.code !== 'not_found') throw error;
}
