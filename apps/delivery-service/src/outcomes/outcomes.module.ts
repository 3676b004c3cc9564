import { Module } from '@nestjs/common';
import { DeliveryCountRepository, DeliveryCounts } from './delivery-counts.js';
import { OutcomeBroadcast } from './outcome-broadcast.js';
import { DeliveryMetrics, Outcomes } from './outcomes.js';
import { RetryJournal } from './retry-journal.js';

/** Tells what becomes of events: metrics, counters, the list of retries and live views. Each writes until it is stopped. */
@Module({
  providers: [Outcomes, DeliveryMetrics, DeliveryCounts, DeliveryCountRepository, RetryJournal, OutcomeBroadcast],
  exports: [Outcomes, DeliveryCountRepository, RetryJournal],
})
export class OutcomesModule {}
