import type { NatsConnection } from '@nats-io/transport-node';
import { Logger, Module, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { InventoryMirror } from '@weir/inventory';
import { NATS } from '@weir/messaging';
import { Health, Metrics } from '@weir/service-kit';

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
    metrics: Metrics,
  ) {
    // a lost bucket does not stop the intake: it continues with the known contents
    health.register('inventory', () => (mirror.hasContents ? undefined : mirror.whyIncomplete));
    metrics.gauge({
      name: 'weir_inventory_bytes',
      help: 'Bytes of the inventory of all workspaces. Every process that routes events holds as much in memory',
      collect() {
        this.set(mirror.bytes);
      },
    });
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
