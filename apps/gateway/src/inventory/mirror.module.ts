import type { NatsConnection } from '@nats-io/transport-node';
import { Logger, Module, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { InventoryMirror, NATS } from '@weir/messaging';
import { Health } from '@weir/service-kit';

/** The INVENTORY bucket in memory: what the intake and the write keys are checked against. */
@Module({
  providers: [
    {
      provide: InventoryMirror,
      inject: [NATS],
      useFactory: (nats: NatsConnection) => new InventoryMirror(nats, new Logger(InventoryMirror.name)),
    },
  ],
  exports: [InventoryMirror],
})
export class InventoryMirrorModule implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    private readonly mirror: InventoryMirror,
    health: Health,
  ) {
    // a bucket that was lost stops no intake: what was known goes on
    health.register('inventory', () => (mirror.hasContents ? undefined : mirror.reason));
  }

  /** Before the process listens: an intake without it would refuse every write key. */
  async onApplicationBootstrap(): Promise<void> {
    await this.mirror.start();
  }

  /** After the last answer: changes that are under way wait until the mirror has them. */
  onApplicationShutdown(): void {
    this.mirror.stop();
  }
}
