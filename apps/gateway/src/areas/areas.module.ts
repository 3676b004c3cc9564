import { Module } from '@nestjs/common';
import { TokensModule } from '../accounts/accounts.module.js';
import { SessionsModule } from '../console/session.authenticator.js';
import { InventoryModule } from '../inventory/inventory.module.js';
import { CredentialController } from './credentials/credential.controller.js';
import { CredentialService } from './credentials/credential.service.js';
import { DeliveryController } from './deliveries/delivery.controller.js';
import { RangeReplayController } from './deliveries/range-replay.controller.js';
import { EmptyListController } from './empty-lists/empty-list.controller.js';
import { EventController } from './events/event.controller.js';
import { LiveEventController } from './live-events/live-event.controller.js';
import { LiveEventService } from './live-events/live-event.service.js';
import { ChannelController } from './notifications/channel.controller.js';
import { ChannelService } from './notifications/channel.service.js';
import { AuditController } from './regulations/audit.controller.js';
import { ReceiptKeyController, RegulationController } from './regulations/regulation.controller.js';
import { RegulationService } from './regulations/regulation.service.js';
import { InsightController, PrivacyController } from './schemas/insight.controller.js';
import { SchemaController } from './schemas/schema.controller.js';
import { SchemaReach, SourceKeyRepository } from './schemas/schema-reach.service.js';
import { TestController, TestRunController } from './test/test.controller.js';
import { TestService } from './test/test.service.js';
import { ExternalIdController } from './transformations/external-id.controller.js';
import { LibraryController } from './transformations/library.controller.js';
import { LibraryService } from './transformations/library.service.js';
import { ReleaseController } from './transformations/release.controller.js';
import { ReplayService } from './transformations/replay.service.js';
import { AutoRollbackController, RollbackController } from './transformations/rollback.controller.js';
import { SavedTestController } from './transformations/saved-test.controller.js';
import { TransformationController } from './transformations/transformation.controller.js';
import { TransformationService } from './transformations/transformation.service.js';

/** Credentials of user code, in front of the transformation registry. */
@Module({ controllers: [CredentialController], providers: [CredentialService], exports: [CredentialService] })
export class CredentialsModule {}

/** Area A, in front of the transformation registry. */
@Module({
  imports: [InventoryModule, CredentialsModule],
  controllers: [
    ReleaseController,
    RollbackController,
    AutoRollbackController,
    SavedTestController,
    ExternalIdController,
    TransformationController,
    LibraryController,
  ],
  providers: [TransformationService, LibraryService, ReplayService],
})
export class TransformationsModule {}

/** Area B, in front of the regulation service. */
@Module({
  imports: [InventoryModule],
  controllers: [RegulationController, ReceiptKeyController, AuditController],
  providers: [RegulationService],
})
export class RegulationsModule {}

/** Area C, in front of the test runner. */
@Module({ imports: [InventoryModule], controllers: [TestController, TestRunController], providers: [TestService] })
export class TestModule {}

/** Live delivery, in front of the delivery service. */
@Module({ imports: [InventoryModule], controllers: [DeliveryController, RangeReplayController, EventController] })
export class DeliveriesModule {}

/** Where people hear of trouble, in front of the delivery service. */
@Module({ controllers: [ChannelController], providers: [ChannelService] })
export class NotificationsModule {}

/** Shows events as they pass through Weir. */
@Module({
  imports: [InventoryModule, TokensModule, SessionsModule],
  controllers: [LiveEventController],
  providers: [LiveEventService],
})
export class LiveEventsModule {}

/** Area D, in front of the schema service. */
@Module({
  controllers: [InsightController, SchemaController, PrivacyController],
  providers: [SchemaReach, SourceKeyRepository],
})
export class SchemasModule {}

/** Empty lists of objects that Weir does not have. */
@Module({ controllers: [EmptyListController] })
export class EmptyListsModule {}
