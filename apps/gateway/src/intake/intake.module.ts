import type { NatsConnection } from '@nats-io/transport-node';
import { Logger, Module, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { NATS, StreamShares } from '@weir/messaging';
import { CONFIG, Sealer } from '@weir/service-kit';
import type { Config } from '../config.js';
import { AuthThrottle } from '../http/throttle.js';
import { DefinitionsModule } from '../inventory/definition.catalog.js';
import { InventoryMirrorModule } from '../inventory/mirror.module.js';
import { BatchPublisher } from './batches.js';
import { IntakeRoutes, RefusalResponder } from './intake.routes.js';
import { IntakeService } from './intake.service.js';
import { ProbeController } from './probe.controller.js';
import { RateLimits } from './rate-limits.js';
import { SourceConfigService } from './source-config.js';
import { SourceLookup } from './source-lookup.js';

/** Event intake: `/v1/*` of the data plane, and the requests that web pages make. */
@Module({
  imports: [InventoryMirrorModule, DefinitionsModule],
  controllers: [ProbeController],
  providers: [
    { provide: Sealer, inject: [CONFIG], useFactory: ({ encryptionKey }: Config) => new Sealer(encryptionKey) },
    {
      provide: RateLimits,
      inject: [CONFIG],
      useFactory: ({ perSecond }: Config) => new RateLimits(perSecond),
    },
    {
      provide: StreamShares,
      inject: [NATS],
      useFactory: (nats: NatsConnection) => new StreamShares(nats, new Logger(StreamShares.name)),
    },
    SourceLookup,
    SourceConfigService,
    BatchPublisher,
    IntakeService,
    RefusalResponder,
    IntakeRoutes,
    AuthThrottle,
  ],
})
export class IntakeModule implements OnApplicationBootstrap, OnModuleDestroy {
  constructor(private readonly shares: StreamShares) {}

  onApplicationBootstrap(): void {
    this.shares.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.shares.stop();
  }
}
