import { Module } from '@nestjs/common';
import { DeliveryQueues } from './delivery-queues.js';
import { DeliveryShares } from './delivery-shares.js';
import { ShareTable } from './share-table.js';

/** The queues of destinations, and how much each may hold. */
@Module({ providers: [DeliveryQueues, DeliveryShares, ShareTable], exports: [DeliveryQueues, DeliveryShares] })
export class QueuesModule {}
