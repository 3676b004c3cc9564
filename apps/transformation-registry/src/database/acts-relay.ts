import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { auditRelay, type OutboxRelay, RpcClient } from '@weir/messaging';
import { Database } from '@weir/service-kit';

/** Hands publishes and rollbacks to the audit trail. */
@Injectable()
export class ActsRelay implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly relay: OutboxRelay;

  constructor(database: Database, rpc: RpcClient) {
    this.relay = auditRelay(database, rpc, new Logger(ActsRelay.name));
  }

  onApplicationBootstrap(): void {
    this.relay.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.relay.stop();
  }
}
