import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type { AuditAct } from '@weir/contracts';
import { auditRelay, noteAct, type OutboxRelay, RpcClient, type Sql } from '@weir/messaging';
import { newKsuid } from './ids.js';
import { Database } from './sql.js';

interface ActScope {
  sql: Sql;
  workspaceId: string;
  /** Now, if none is given. */
  at?: Date;
}

/** Notes the act in the transaction that does it. Without a person or tool who asked for the work, there is no act. */
export async function recordAct(
  { sql, workspaceId, at = new Date() }: ActScope,
  by: string | undefined,
  act: Pick<AuditAct, 'action' | 'details'>,
): Promise<void> {
  if (by === undefined) return;
  await noteAct(sql, { ...act, actId: newKsuid(), workspaceId, actor: by, at: at.toISOString() });
}

/** Hands the acts of a service to the audit trail. It stops after the last request, so that the acts of that request go, too. */
@Injectable()
export class ActsRelay implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly relay: OutboxRelay;

  constructor(database: Database, rpc: RpcClient) {
    this.relay = auditRelay(database, rpc, new Logger(ActsRelay.name));
  }

  onApplicationBootstrap(): void {
    this.relay.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.relay.stop();
  }
}
