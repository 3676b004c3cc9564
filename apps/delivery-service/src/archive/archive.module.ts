import { Module } from '@nestjs/common';
import { PurgeFence } from '../checks/purge-fence.js';
import { AcceptedArchive } from './accepted-archive.js';
import { AllowedEvents } from './allowed-events.js';
import { ArchiveExpiry } from './archive-expiry.js';
import { ArchiveLag } from './archive-lag.js';
import { ArchivePurgeRepository } from './archive-purge.repository.js';
import { ArchivePurger } from './archive-purger.js';
import { ArchiveStore } from './archive-store.js';
import { SegmentReader } from './segment-reader.js';
import { SegmentWriter } from './segment-writer.js';

/** The archive of accepted events. */
@Module({
  providers: [
    ...[ArchiveStore, AllowedEvents, PurgeFence, SegmentWriter, SegmentReader],
    ...[AcceptedArchive, ArchiveExpiry, ArchiveLag, ArchivePurger, ArchivePurgeRepository],
  ],
  exports: [ArchiveStore, ArchiveLag, AllowedEvents, SegmentReader],
})
export class ArchiveModule {}
