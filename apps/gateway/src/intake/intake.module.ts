import { Module } from '@nestjs/common';
import { AuthThrottle } from '../auth/throttle.js';
import { InventoryMirrorModule } from '../inventory/mirror.module.js';
import { IntakeRoutes } from './intake.routes.js';
import { IntakeService } from './intake.service.js';
import { SourceLookup } from './source-lookup.js';

/** Event intake: `/v1/*` of the data plane. */
@Module({
  imports: [InventoryMirrorModule],
  providers: [SourceLookup, IntakeService, IntakeRoutes, AuthThrottle],
})
export class IntakeModule {}
