import type { NatsConnection } from '@nats-io/transport-node';
import { type BeforeApplicationShutdown, Logger, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { InventoryMirror, NATS } from '@weir/messaging';

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
export class InventoryMirrorModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(private readonly mirror: InventoryMirror) {}

  /** Before the process listens: an intake without it would refuse every write key. */
  async onApplicationBootstrap(): Promise<void> {
    await this.mirror.start();
  }

  beforeApplicationShutdown(): void {
    this.mirror.stop();
  }
}
