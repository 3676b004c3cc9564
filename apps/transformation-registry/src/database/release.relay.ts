import type { NatsConnection } from '@nats-io/transport-node';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { NATS, OutboxRelay } from '@weir/messaging';
import { Database } from '@weir/service-kit';

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
