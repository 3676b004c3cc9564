import { type DynamicModule, Module } from '@nestjs/common';
import { INVENTORY_BUCKET } from '@weir/contracts';
import { DELIVERIES, EVENTS_ACCEPTED } from '@weir/messaging';
import { KitModule, TopologyModule } from '@weir/service-kit';
import { ArchivePurgeRepository } from './archive/archive-purge.repository.js';
import { ArchiveRelief } from './archive/archive-relief.js';
import { DeletedCheck } from './checks/deleted-check.js';
import { LiveCodeModule } from './code/live-code.module.js';
import type { DelivererConfig } from './config.js';
import { DeadLettersModule } from './dead-letters/dead-letters.module.js';
import { Expiry } from './expiry.js';
import { InventoryModule } from './inventory/inventory.module.js';
import { migrations } from './migrations/index.js';
import { BreakerJournal } from './notifications/breaker-journal.js';
import { NotificationsModule } from './notifications/notifications.module.js';
import { OutcomesModule } from './outcomes/outcomes.module.js';
import { DeliverySlots, MessageMemory, QueuedEvents } from './queues/fair-pool.js';
import { FormerQueues } from './queues/former-queues.js';
import { QueuesModule } from './queues/queues.module.js';
import { RangeTurnRepository } from './replays/range-turn.repository.js';
import { ReplayRepository } from './replays/replay.repository.js';
import { ReplayQueue } from './replays/replay-queue.js';
import { Replayer } from './replays/replayer.js';
import { AcceptedBatches, BatchRouter } from './routing/batch-router.js';
import { SuppressedEventsListener } from './routing/suppressed-events.js';
import { Attempts } from './sending/attempts.js';
import { DeliveryProgress } from './sending/delivery-progress.js';
import { DestinationWorkers } from './sending/destination-workers.js';
import { Endings } from './sending/endings.js';
import { EventDelivery } from './sending/event-delivery.js';
import { Overflow } from './sending/overflow.js';
import { PartitionFeeds } from './sending/partition-feed.js';
import { TracesModule } from './traces/traces.module.js';

/**
 * Live delivery: hands accepted batches to the workers of their destinations. Events that have to wait go to a queue. Nest starts the
 * imported modules before what is provided here, and stops them after it.
 */
@Module({})
export class DelivererModule {
  static register(config: DelivererConfig): DynamicModule {
    const schema = { name: 'delivery', migrations } as const;
    const streams = [EVENTS_ACCEPTED, DELIVERIES, `KV_${INVENTORY_BUCKET}`];
    const liveCode = LiveCodeModule.register(config);
    return {
      module: DelivererModule,
      imports: [
        KitModule.register({ process: 'delivery-service.deliverer', config, schema }),
        TopologyModule.register({ streams, roles: ['deliverer'], own: 'deliverer' }),
        InventoryModule,
        liveCode,
        TracesModule.register({ tracesPerSecond: config.tracesPerSecond, liveCode }),
        QueuesModule,
        OutcomesModule,
        DeadLettersModule.register({ dayBytes: config.deadLetterDayBytes }),
        NotificationsModule,
      ],
      providers: [
        ...[AcceptedBatches, BatchRouter, FormerQueues, Overflow, SuppressedEventsListener],
        ...[DestinationWorkers, PartitionFeeds, EventDelivery, Attempts, Endings, DeliveryProgress],
        ...[MessageMemory, QueuedEvents, DeliverySlots],
        ...[Replayer, ReplayQueue, ReplayRepository, RangeTurnRepository, ArchivePurgeRepository],
        ...[DeletedCheck, Expiry, BreakerJournal, ArchiveRelief],
      ],
    };
  }
}
