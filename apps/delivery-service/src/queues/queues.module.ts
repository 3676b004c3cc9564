import { Module } from '@nestjs/common';
import { DeliveryQueues } from './delivery-queues.js';
import { DeliveryShares } from './delivery-shares.js';
import { QueueWriter } from './queue-writer.js';
import { ShareTable } from './share-table.js';

/** The queues of destinations, and how much each may hold. */
@Module({
  providers: [DeliveryQueues, DeliveryShares, QueueWriter, ShareTable],
  exports: [DeliveryQueues, DeliveryShares, QueueWriter],
})
export class QueuesModule {}
