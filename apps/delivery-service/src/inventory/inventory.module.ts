import type { NatsConnection } from '@nats-io/transport-node';
import { Logger, Module, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { InventoryMirror } from '@weir/inventory';
import { NATS } from '@weir/messaging';
import { Health } from '@weir/service-kit';

const mirror = {
  provide: InventoryMirror,
  inject: [NATS],
  useFactory: (nats: NatsConnection) => new InventoryMirror(nats, new Logger(InventoryMirror.name)),
};

/** Follows the inventory. Modules that import this one start after the inventory is read, and stop before it. */
@Module({ providers: [mirror], exports: [mirror] })
export class InventoryModule implements OnApplicationBootstrap, OnModuleDestroy {
  constructor(
    private readonly inventory: InventoryMirror,
    health: Health,
  ) {
    health.register('inventory', () => inventory.whyIncomplete);
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.inventory.start();
  }

  onModuleDestroy(): void {
    this.inventory.stop();
  }
}
