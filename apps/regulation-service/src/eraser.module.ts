import type { NatsConnection } from '@nats-io/transport-node';
import {
  type BeforeApplicationShutdown,
  type DynamicModule,
  Logger,
  Module,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { EgressByOwner } from '@weir/egress';
import { InventoryMirror, NATS } from '@weir/messaging';
import { Health, Sealer } from '@weir/service-kit';
import type { EraserConfig } from './config.js';
import { CoreModule } from './core.module.js';
import { BarrierService } from './deletion/barrier.service.js';
import { DestinationDeletion } from './deletion/destination-deletion.js';
import { EraserMetrics } from './deletion/eraser.metrics.js';
import { EraserService } from './deletion/eraser.service.js';
import { InternalPurge } from './deletion/internal-purge.js';
import { MendedDestinations } from './deletion/mended-destinations.js';
import { ProgressSeal } from './deletion/progress-seal.js';
import { TaskRunner } from './deletion/task-runner.js';

/** The eraser's ways to destinations: what is configured, the key that opens it, and the way out. */
@Module({})
class OutboundModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly inventory: InventoryMirror,
    private readonly egress: EgressByOwner,
    health: Health,
  ) {
    health.register('inventory', () => inventory.reason);
  }

  static register({ encryptionKey, egress }: EraserConfig): DynamicModule {
    const mirror = (nats: NatsConnection) => new InventoryMirror(nats, new Logger(InventoryMirror.name));
    const providers = [
      { provide: InventoryMirror, inject: [NATS], useFactory: mirror },
      { provide: Sealer, useFactory: () => new Sealer(encryptionKey) },
      { provide: EgressByOwner, useFactory: () => new EgressByOwner(egress) },
    ];
    return { module: OutboundModule, providers, exports: providers };
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.inventory.start();
  }

  /** After the eraser has finished what it had in hand. */
  async beforeApplicationShutdown(): Promise<void> {
    this.inventory.stop();
    await this.egress.close();
  }
}

/** Deletes users at destinations and in what Weir keeps. */
@Module({})
export class EraserModule {
  static register(config: EraserConfig): DynamicModule {
    return {
      module: EraserModule,
      imports: [CoreModule.register('regulation-service.eraser', config), OutboundModule.register(config)],
      providers: [
        EraserService,
        BarrierService,
        TaskRunner,
        ProgressSeal,
        InternalPurge,
        DestinationDeletion,
        MendedDestinations,
        EraserMetrics,
      ],
    };
  }
}
