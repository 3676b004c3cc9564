import { Module } from '@nestjs/common';
import { InventoryModule } from '../../inventory/inventory.module.js';
import { LiveEventController } from './live-event.controller.js';
import { LiveEventService } from './live-event.service.js';

/** What passes through Weir at this moment. */
@Module({ imports: [InventoryModule], controllers: [LiveEventController], providers: [LiveEventService] })
export class LiveEventsModule {}
