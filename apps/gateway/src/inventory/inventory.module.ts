import { Module } from '@nestjs/common';
import { CONFIG, Sealer } from '@weir/service-kit';
import { ActsModule } from '../acts/acts.module.js';
import type { Config } from '../config.js';
import { BucketRecords, InventoryBucket } from './bucket.js';
import { ConnectionController } from './connection.controller.js';
import { ConnectionService } from './connection.service.js';
import { DefinitionsModule } from './definition.catalog.js';
import { DefinitionController } from './definition.controller.js';
import { DeletedDestinations } from './deleted-destinations.js';
import { DestinationCleanup } from './destination.cleanup.js';
import { DestinationConfig } from './destination.config.js';
import { DestinationController } from './destination.controller.js';
import { DestinationService } from './destination.service.js';
import { ExternalIdController, ExternalIdService } from './external-id.controller.js';
import { InventoryLookup } from './inventory.lookup.js';
import { InventoryPages } from './inventory.pages.js';
import { InventoryRelay } from './inventory.relay.js';
import { ConnectionRepository, DestinationRepository, SourceRepository } from './inventory.repositories.js';
import { InventoryWriter } from './inventory.writer.js';
import { LinkController } from './link.controller.js';
import { LinkService } from './link.service.js';
import { InventoryMirrorModule } from './mirror.module.js';
import { SourceController } from './source.controller.js';
import { SourceService } from './source.service.js';

/**
 * Sources, destinations, connections and links of a workspace. Other areas use `InventoryLookup`, and `InventoryWriter` for
 * changes that the bucket must show.
 */
@Module({
  imports: [InventoryMirrorModule, DefinitionsModule, ActsModule],
  controllers: [
    SourceController,
    DefinitionController,
    DestinationController,
    LinkController,
    ConnectionController,
    ExternalIdController,
  ],
  providers: [
    { provide: Sealer, inject: [CONFIG], useFactory: ({ encryptionKey }: Config) => new Sealer(encryptionKey) },
    SourceRepository,
    SourceService,
    DestinationRepository,
    DestinationConfig,
    DeletedDestinations,
    DestinationCleanup,
    DestinationService,
    ConnectionRepository,
    ConnectionService,
    ExternalIdService,
    LinkService,
    BucketRecords,
    InventoryBucket,
    InventoryRelay,
    InventoryWriter,
    InventoryPages,
    InventoryLookup,
  ],
  exports: [InventoryLookup, InventoryWriter],
})
export class InventoryModule {}
