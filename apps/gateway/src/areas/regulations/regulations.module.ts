import { Module } from '@nestjs/common';
import { InventoryModule } from '../../inventory/inventory.module.js';
import { ReceiptKeyController } from './receipt-key.controller.js';
import { RegulationController } from './regulation.controller.js';
import { RegulationService } from './regulation.service.js';

/** Area B, in front of the regulation service. */
@Module({
  imports: [InventoryModule],
  controllers: [RegulationController, ReceiptKeyController],
  providers: [RegulationService],
})
export class RegulationsModule {}
