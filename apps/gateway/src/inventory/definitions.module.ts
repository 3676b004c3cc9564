import { Module } from '@nestjs/common';
import { DefinitionCatalog } from './definition.catalog.js';
import { DefinitionController } from './definition.controller.js';

/** Destination kinds: on both planes, without credentials. */
@Module({ controllers: [DefinitionController], providers: [DefinitionCatalog], exports: [DefinitionCatalog] })
export class DefinitionsModule {}
