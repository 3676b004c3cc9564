import { Module } from '@nestjs/common';
import { DefinitionCatalog } from './definition.catalog.js';

/** Destination kinds for both planes. `InventoryModule` has their routes. */
@Module({ providers: [DefinitionCatalog], exports: [DefinitionCatalog] })
export class DefinitionsModule {}
