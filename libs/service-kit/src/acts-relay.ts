import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { auditRelay, type OutboxRelay, RpcClient } from '@weir/messaging';
import { Database } from './sql.js';

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
