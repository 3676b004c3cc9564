import { Module } from '@nestjs/common';
import { InventoryModule } from '../../inventory/inventory.module.js';
import { LiveEventController } from './live-event.controller.js';
import { LiveEventService } from './live-event.service.js';

/** Shows events as they pass through Weir. */
@Module({ imports: [InventoryModule], controllers: [LiveEventController], providers: [LiveEventService] })
export class LiveEventsModule {}
