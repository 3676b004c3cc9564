import { Module } from '@nestjs/common';
import { InventoryModule } from '../inventory/inventory.module.js';
import { AskedTroubles } from './asked-troubles.js';
import { NotificationRepository } from './notification.repository.js';
import { Notifier } from './notifier.js';
import { OwnTroubles } from './own-troubles.js';
import { Senders } from './senders.js';
import { SourceSilences } from './source-silences.js';
import { TroubleRepository } from './trouble.repository.js';
import { TroubleWatch } from './trouble-watch.js';

/** Looks for trouble and tells people, in one process at a time. */
@Module({
  imports: [InventoryModule],
  providers: [
    ...[Notifier, NotificationRepository, Senders],
    ...[TroubleWatch, OwnTroubles, AskedTroubles, SourceSilences, TroubleRepository],
  ],
  exports: [TroubleRepository],
})
export class NotificationsModule {}
