import type { NatsConnection } from '@nats-io/transport-node';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { NATS, OutboxRelay } from '@weir/messaging';
import { Database, SerialTransactions, type Session } from '@weir/service-kit';

/** Publishes facts from the outbox on core NATS, right after their commit and again at the relay's interval. */
@Injectable()
export class ReleaseRelay implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(ReleaseRelay.name);
  private readonly relay: OutboxRelay;
  private telling: Promise<void> | undefined;
  private more = false;
  private stopped = false;

  constructor(dataSource: Database, @Inject(NATS) nats: NatsConnection) {
    const publish = async ({ topic, payload }: { topic: string; payload: object }) =>
      nats.publish(topic, JSON.stringify(payload));
    this.relay = new OutboxRelay(dataSource, publish, this.logger);
  }

  onApplicationBootstrap(): void {
    this.relay.start();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    await this.telling;
    await this.relay.stop();
  }

  /** Does not wait, and takes one connection whatever the number of writes. The relay repeats failed publishes. */
  tell(): void {
    this.more = true;
    this.telling ??= this.flush().finally(() => {
      this.telling = undefined;
    });
  }

  private async flush(): Promise<void> {
    while (this.more && !this.stopped) {
      this.more = false;
      await this.relay.flush().catch((error: Error) => this.logger.warn(`cannot send a fact yet: ${error.message}`));
    }
  }
}

/** Where a query runs, and the only workspace that it may see. First argument of every repository method. */
export interface Scope {
  readonly workspaceId: string;
  readonly sql: Session;
}

/** A transaction with no other write of its workspace beside it. */
export interface WriteScope extends Scope {
  /** The database's time once the lock was held, so that times of a workspace grow in the order of its writes. */
  readonly at: Date;
}

const LOCK_SQL = `SELECT pg_advisory_xact_lock(hashtext('registry.workspace'), hashtext($1))`;

@Injectable()
export class WorkspaceDatabase {
  private readonly writers = new SerialTransactions((sql, workspaceId) => sql.run(LOCK_SQL, [workspaceId]));

  constructor(
    private readonly dataSource: Database,
    private readonly relay: ReleaseRelay,
  ) {}

  read(workspaceId: string): Scope {
    return { workspaceId, sql: this.dataSource };
  }

  /** All writes go through here, one at a time per workspace. Keep `work` short: no calls to other services. */
  async write<T>(workspaceId: string, work: (tx: WriteScope) => Promise<T>): Promise<T> {
    const result = await this.writers.run(this.dataSource, workspaceId, async (sql) => {
      const { rows } = await sql.run<{ at: Date }>(`SELECT date_trunc('milliseconds', clock_timestamp()) AS at`);
      return work({ workspaceId, sql, at: rows[0]?.at ?? new Date() });
    });
    this.relay.tell();
    return result;
  }
}
