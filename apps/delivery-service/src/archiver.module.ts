import type { NatsConnection } from '@nats-io/transport-node';
import {
  type DynamicModule,
  Inject,
  Logger,
  Module,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { INVENTORY_BUCKET } from '@weir/contracts';
import { DELIVERIES, EVENTS_ACCEPTED, NATS, TopologyWatch } from '@weir/messaging';
import { Health, KitModule, Metrics, observeTopology } from '@weir/service-kit';
import { ArchiveModule } from './archive/archive.module.js';
import type { ArchiverConfig } from './config.js';
import { InventoryModule } from './inventory/inventory.module.js';
import { migrations } from './migrations/index.js';
import { DeliveryQueues } from './queues/delivery-queues.js';
import { DeliveryShares } from './queues/delivery-shares.js';
import { QueueWriter } from './queues/queue-writer.js';
import { ShareTable } from './queues/share-table.js';
import { RangeReplayer } from './replays/range-replayer.js';
import { RangeTurnRepository } from './replays/range-turn.repository.js';

/** Stores accepted events in an object store, and reads them for replays. Runs only where the operator wants an archive. */
@Module({})
export class ArchiverModule implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly topology: TopologyWatch;

  constructor(@Inject(NATS) nats: NatsConnection, health: Health, metrics: Metrics) {
    this.topology = new TopologyWatch({
      nats,
      streams: [EVENTS_ACCEPTED, DELIVERIES, `KV_${INVENTORY_BUCKET}`],
      roles: ['archiver'],
      own: 'archiver',
      log: new Logger('Archive'),
    });
    observeTopology(this.topology, health, metrics);
  }

  static register(config: ArchiverConfig): DynamicModule {
    const schema = { name: 'delivery', migrations } as const;
    return {
      module: ArchiverModule,
      imports: [
        KitModule.register({ process: 'delivery-service.archiver', config, schema }),
        InventoryModule,
        ArchiveModule,
      ],
      providers: [...[DeliveryQueues, DeliveryShares, QueueWriter, ShareTable], RangeReplayer, RangeTurnRepository],
    };
  }

  onApplicationBootstrap(): void {
    this.topology.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.topology.stop();
  }
}
