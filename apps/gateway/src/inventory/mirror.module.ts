import type { NatsConnection } from '@nats-io/transport-node';
import { Logger, Module, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { InventoryMirror } from '@weir/inventory';
import { NATS } from '@weir/messaging';
import { Health } from '@weir/service-kit';

/** The INVENTORY bucket in memory. The intake checks write keys against it. */
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
    // a lost bucket does not stop the intake: it continues with the known contents
    health.register('inventory', () => (mirror.hasContents ? undefined : mirror.whyIncomplete));
  }

  /** Before the process listens: without the mirror, the intake would refuse every write key. */
  async onApplicationBootstrap(): Promise<void> {
    await this.mirror.start();
  }

  /** After the last answer, because changes in progress wait for the mirror. */
  onApplicationShutdown(): void {
    this.mirror.stop();
  }
}
