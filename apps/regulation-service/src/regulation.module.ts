import { type DynamicModule, Module } from '@nestjs/common';
import { Budgets } from './budget/budgets.js';
import type { MainConfig } from './config.js';
import { CoreModule } from './core.module.js';
import { DeletionController } from './deletion/deletion.controller.js';
import { DeletionRelay } from './deletion/deletion.relay.js';
import { DeletionService } from './deletion/deletion.service.js';
import { Idempotency } from './idempotency/idempotency.js';
import { ReceiptController } from './receipts/receipt.controller.js';
import { ReceiptService } from './receipts/receipt.service.js';
import { ReceiptKeys } from './receipts/receipt-keys.js';
import { CreationService } from './records/creation.service.js';
import { RecordController } from './records/record.controller.js';
import { RecordService } from './records/record.service.js';
import { SuppressionController } from './suppression/suppression.controller.js';
import { SuppressionService } from './suppression/suppression.service.js';

/** Answers `regulation.*`. */
@Module({})
export class RegulationModule {
  static register(config: MainConfig): DynamicModule {
    return {
      module: RegulationModule,
      imports: [CoreModule.register('regulation-service.main', config)],
      controllers: [RecordController, SuppressionController, DeletionController, ReceiptController],
      providers: [
        { provide: Budgets, useFactory: () => new Budgets(config.budgets) },
        Idempotency,
        CreationService,
        RecordService,
        SuppressionService,
        DeletionService,
        DeletionRelay,
        {
          provide: ReceiptKeys,
          useFactory: () => new ReceiptKeys(config.receipts.key, config.receipts.retired),
        },
        ReceiptService,
      ],
    };
  }
}
