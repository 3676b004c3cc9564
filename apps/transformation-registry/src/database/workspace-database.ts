import { Injectable } from '@nestjs/common';
import { KeyedQueue, type Sql } from '@weir/messaging';
import { DataSource } from 'typeorm';
import { ReleaseFacts } from './release-facts.js';

/** Where a query runs, together with the one workspace that it may see. First argument of every repository method. */
export interface Scope {
  readonly workspaceId: string;
  readonly sql: Sql;
}

/** A transaction that nothing else of its workspace runs beside. */
export interface WriteScope extends Scope {
  /** The database's clock once the lock was held, so that times of a workspace grow in the order of its writes. */
  readonly at: Date;
}

const LOCK_SQL = `SELECT pg_advisory_xact_lock(hashtext('registry.workspace'), hashtext($1))`;

/** Writers of one workspace at a time in this process. Each takes some 10 ms: behind more of them a caller gives up first. */
const WRITERS_MAX = 500;

@Injectable()
export class WorkspaceDatabase {
  /** Those who wait do so here and not at the lock: there each would hold a connection, and none be left for others. */
  private readonly writers = new KeyedQueue(WRITERS_MAX);

  constructor(
    private readonly dataSource: DataSource,
    private readonly facts: ReleaseFacts,
  ) {}

  read(workspaceId: string): Scope {
    return { workspaceId, sql: this.dataSource };
  }

  /** All writes go through here, one at a time in a workspace. Keep `work` short: no calls to other services. */
  async write<T>(workspaceId: string, work: (tx: WriteScope) => Promise<T>): Promise<T> {
    const result = await this.writers.run(workspaceId, () => this.transaction(workspaceId, work));
    this.facts.tell();
    return result;
  }

  /** The lock is for writers of other processes. */
  private transaction<T>(workspaceId: string, work: (tx: WriteScope) => Promise<T>): Promise<T> {
    return this.dataSource.transaction(async (sql) => {
      await sql.query(LOCK_SQL, [workspaceId]);
      const [clock] = await sql.query<{ at: Date }[]>(`SELECT date_trunc('milliseconds', clock_timestamp()) AS at`);
      return work({ workspaceId, sql, at: clock?.at ?? new Date() });
    });
  }
}
