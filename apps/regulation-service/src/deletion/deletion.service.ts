import type { NatsConnection } from '@nats-io/transport-node';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DELETION_REQUESTED_SUBJECT } from '@weir/contracts';
import { flushed, NATS, OutboxRelay, type OutboxRow, outboxAdd, type Sql } from '@weir/messaging';
import { Database } from '@weir/service-kit';
import { appendToTrail, writeTrail } from '../audit/audit.repository.js';
import { abortTasks, insertTasks, type NewTasks, taskFact } from './task.repository.js';
import { INTERNAL, INTERNAL_PURGES } from './task.rules.js';

/** Inserts tasks for the destinations and for the data that Weir itself keeps. Announces them once this is committed. */
export async function requestDeletion(sql: Sql, { destinations, ...rest }: NewTasks): Promise<void> {
  const internal = Object.keys(INTERNAL_PURGES).map((id) => ({ id, type: INTERNAL }));
  await insertTasks(sql, { ...rest, destinations: [...destinations, ...internal] });
  await outboxAdd(sql, DELETION_REQUESTED_SUBJECT, { workspaceId: rest.workspaceId });
}

/** Actor in the audit trail for tasks that end without a person's request. */
const ACTOR = 'weir';

/** Ends deletions whose destination is gone. */
@Injectable()
export class DeletionService {
  constructor(private readonly dataSource: Database) {}

  /**
   * Ends them in pieces, each with its facts, so that requests of the workspace get their turns in between. Idempotent: tasks that have
   * ended keep their status, so a repetition goes on where an interrupted call stopped.
   */
  async abortDestination(workspaceId: string, destinationId: string): Promise<void> {
    while ((await this.abortSome(workspaceId, destinationId)) > 0);
  }

  private abortSome(workspaceId: string, destinationId: string): Promise<number> {
    return writeTrail(this.dataSource, workspaceId, async (sql) => {
      const ended = await abortTasks(sql, workspaceId, destinationId, 'the destination was deleted');
      const facts = ended.map((task) => taskFact(ACTOR, task));
      await appendToTrail(sql, workspaceId, facts);
      return ended.length;
    });
  }
}

/** Publishes facts of the outbox on core NATS. They are only hints, so one publish is enough. */
@Injectable()
export class DeletionRelay implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly relay: OutboxRelay;

  constructor(
    dataSource: Database,
    @Inject(NATS) private readonly nats: NatsConnection,
  ) {
    this.relay = new OutboxRelay(dataSource, (row) => this.tell(row), new Logger(DeletionRelay.name));
  }

  onApplicationBootstrap(): void {
    this.relay.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.relay.stop();
  }

  private async tell({ topic, payload }: OutboxRow): Promise<void> {
    this.nats.publish(topic, JSON.stringify(payload));
    await flushed(this.nats);
  }
}
