import type { NatsConnection } from '@nats-io/transport-node';
import {
  type BeforeApplicationShutdown,
  type DynamicModule,
  Logger,
  Module,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { EgressByOwner } from '@weir/egress';
import { InventoryMirror } from '@weir/inventory';
import { NATS } from '@weir/messaging';
import { Health, Sealer } from '@weir/service-kit';
import { AnswerLeases } from './answers/answer-leases.js';
import type { EraserConfig } from './config.js';
import { CoreModule } from './core.module.js';
import { BarrierService } from './deletion/barrier.service.js';
import { DestinationDeletion } from './deletion/destination-deletion.js';
import { EraserService } from './deletion/eraser.service.js';
import { InternalPurge } from './deletion/internal-purge.js';
import { MendedDestinations } from './deletion/mended-destinations.js';
import { TaskRunner } from './deletion/task-runner.js';
import { ProgressSeal } from './secrets/match-keys.js';

/** The eraser's access to destinations: the inventory, the key that decrypts configurations, and egress. */
@Module({})
class OutboundModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly inventory: InventoryMirror,
    private readonly egress: EgressByOwner,
    health: Health,
  ) {
    health.register('inventory', () => inventory.whyIncomplete);
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

  /** Runs after the eraser has finished its work in hand. */
  async beforeApplicationShutdown(): Promise<void> {
    this.inventory.stop();
    await this.egress.close();
  }
}

/** Deletes users at destinations and in the data that Weir keeps. */
@Module({})
export class EraserModule {
  static register(config: EraserConfig): DynamicModule {
    return {
      module: EraserModule,
      imports: [CoreModule.register('regulation-service.eraser', config), OutboundModule.register(config)],
      providers: [
        EraserService,
        BarrierService,
        AnswerLeases,
        TaskRunner,
        ProgressSeal,
        InternalPurge,
        DestinationDeletion,
        MendedDestinations,
      ],
    };
  }
}
