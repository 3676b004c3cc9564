import { type DynamicModule, Module } from '@nestjs/common';
import { INVENTORY_BUCKET } from '@weir/contracts';
import { DELIVERIES, EVENTS_ACCEPTED } from '@weir/messaging';
import { KitModule, TopologyModule } from '@weir/service-kit';
import { ArchiveModule } from './archive/archive.module.js';
import type { ArchiverConfig } from './config.js';
import { InventoryModule } from './inventory/inventory.module.js';
import { migrations } from './migrations/index.js';
import { QueuesModule } from './queues/queues.module.js';
import { RangeReplayer } from './replays/range-replayer.js';
import { RangeTurnRepository } from './replays/range-turn.repository.js';
import { ReplayQueue } from './replays/replay-queue.js';

/** Stores accepted events in an object store, and reads them for replays. Runs only where the operator wants an archive. */
@Module({})
export class ArchiverModule {
  static register(config: ArchiverConfig): DynamicModule {
    const streams = [EVENTS_ACCEPTED, DELIVERIES, `KV_${INVENTORY_BUCKET}`];
    const schema = { name: 'delivery', migrations } as const;
    return {
      module: ArchiverModule,
      imports: [
        KitModule.register({ process: 'delivery-service.archiver', config, schema }),
        TopologyModule.register({ streams, roles: ['archiver'], own: 'archiver' }),
        InventoryModule,
        QueuesModule,
        ArchiveModule,
      ],
      providers: [RangeReplayer, RangeTurnRepository, ReplayQueue],
    };
  }
}
