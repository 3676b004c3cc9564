import { Module } from '@nestjs/common';
import { Sealer } from '@weir/service-kit';
import { CONFIG, type Config } from '../config.js';
import { InventoryBucket } from './bucket.js';
import { BucketRecords } from './bucket.records.js';
import { ConnectionController } from './connection.controller.js';
import { ConnectionRepository } from './connection.repository.js';
import { ConnectionService } from './connection.service.js';
import { DefinitionController } from './definition.controller.js';
import { DefinitionsModule } from './definitions.module.js';
import { DeletedDestinations } from './deleted-destinations.js';
import { DestinationCleanup } from './destination.cleanup.js';
import { DestinationConfig } from './destination.config.js';
import { DestinationController } from './destination.controller.js';
import { DestinationRepository } from './destination.repository.js';
import { DestinationService } from './destination.service.js';
import { ExternalIdController } from './external-id.controller.js';
import { ExternalIdService } from './external-id.service.js';
import { InventoryLookup } from './inventory.lookup.js';
import { InventoryRelay } from './inventory.relay.js';
import { InventoryWriter } from './inventory.writer.js';
import { LinkController } from './link.controller.js';
import { LinkService } from './link.service.js';
import { InventoryMirrorModule } from './mirror.module.js';
import { SourceController } from './source.controller.js';
import { SourceRepository } from './source.repository.js';
import { SourceService } from './source.service.js';

/**
 * Sources, destinations, connections and links of a workspace. Other areas use `InventoryLookup`, and `InventoryWriter` for
 * changes that the bucket must show.
 */
@Module({
  imports: [InventoryMirrorModule, DefinitionsModule],
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
    InventoryLookup,
  ],
  exports: [InventoryLookup, InventoryWriter],
})
export class InventoryModule {}
