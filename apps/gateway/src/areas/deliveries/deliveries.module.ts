import { Module } from '@nestjs/common';
import { InventoryModule } from '../../inventory/inventory.module.js';
import { DeliveryController } from './delivery.controller.js';

/** Live delivery, in front of the test runner. */
@Module({ imports: [InventoryModule], controllers: [DeliveryController] })
export class DeliveriesModule {}
