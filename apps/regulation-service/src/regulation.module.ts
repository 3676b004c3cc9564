import { type DynamicModule, Module } from '@nestjs/common';
import { AnswerLeases } from './answers/answer-leases.js';
import { AuditService } from './audit/audit.service.js';
import { Budgets } from './budget/budget.repository.js';
import type { Config } from './config.js';
import { CoreModule } from './core.module.js';
import { DeletionRelay, DeletionService } from './deletion/deletion.service.js';
import { OverdueDeletions } from './deletion/task.repository.js';
import { ReceiptService } from './receipts/receipt.service.js';
import { ReceiptKeys } from './receipts/receipt-keys.js';
import { RegulationController } from './regulation.controller.js';
import { CreationService } from './regulations/creation.service.js';
import { Idempotency } from './regulations/idempotency.repository.js';
import { RegulationService } from './regulations/regulation.service.js';
import { PepperRotation } from './rotation/pepper-rotation.js';
import { SuppressionService } from './suppression/suppression.service.js';

/** Answers `regulation.*`. */
@Module({})
export class RegulationModule {
  static register(config: Config): DynamicModule {
    const { budgets, receipts } = config;
    return {
      module: RegulationModule,
      imports: [CoreModule.register('regulation-service.main', config)],
      controllers: [RegulationController],
      providers: [
        { provide: Budgets, useFactory: () => new Budgets(budgets) },
        { provide: ReceiptKeys, useFactory: () => new ReceiptKeys(receipts.key, receipts.retired) },
        AnswerLeases,
        AuditService,
        CreationService,
        DeletionRelay,
        DeletionService,
        Idempotency,
        OverdueDeletions,
        PepperRotation,
        ReceiptService,
        RegulationService,
        SuppressionService,
      ],
    };
  }
}
