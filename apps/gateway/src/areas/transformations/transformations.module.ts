import { Module } from '@nestjs/common';
import { InventoryModule } from '../../inventory/inventory.module.js';
import { CredentialsModule } from '../credentials/credentials.module.js';
import { AutoRollbackController } from './auto-rollback.controller.js';
import { ExternalIdController } from './external-id.controller.js';
import { LibraryController } from './library.controller.js';
import { LibraryService } from './library.service.js';
import { ReleaseController } from './release.controller.js';
import { ReplayService } from './replay.service.js';
import { RollbackController } from './rollback.controller.js';
import { TransformationController } from './transformation.controller.js';
import { TransformationService } from './transformation.service.js';

/** Area A, in front of the transformation registry. */
@Module({
  imports: [InventoryModule, CredentialsModule],
  controllers: [
    ReleaseController,
    RollbackController,
    AutoRollbackController,
    ExternalIdController,
    TransformationController,
    LibraryController,
  ],
  providers: [TransformationService, LibraryService, ReplayService],
})
export class TransformationsModule {}
