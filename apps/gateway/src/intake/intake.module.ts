import { Module } from '@nestjs/common';
import { Sealer } from '@weir/service-kit';
import { AuthThrottle } from '../auth/throttle.js';
import { CONFIG, type Config } from '../config.js';
import { DefinitionsModule } from '../inventory/definitions.module.js';
import { InventoryMirrorModule } from '../inventory/mirror.module.js';
import { IntakeRoutes } from './intake.routes.js';
import { IntakeService } from './intake.service.js';
import { ProbeController } from './probe.controller.js';
import { RefusalResponder } from './refusal-responder.js';
import { SourceBudgets } from './source-budgets.js';
import { SourceConfigService } from './source-config.js';
import { SourceLookup } from './source-lookup.js';

/** Event intake: `/v1/*` of the data plane, and the requests that web pages make. */
@Module({
  imports: [InventoryMirrorModule, DefinitionsModule],
  controllers: [ProbeController],
  providers: [
    { provide: Sealer, inject: [CONFIG], useFactory: ({ encryptionKey }: Config) => new Sealer(encryptionKey) },
    {
      provide: SourceBudgets,
      inject: [CONFIG],
      useFactory: ({ sourceEventsPerSecond }: Config) => new SourceBudgets(sourceEventsPerSecond),
    },
    SourceLookup,
    SourceConfigService,
    IntakeService,
    RefusalResponder,
    IntakeRoutes,
    AuthThrottle,
  ],
})
export class IntakeModule {}
