import { Module } from '@nestjs/common';
import { InsightController } from './insight.controller.js';
import { PrivacyController } from './privacy.controller.js';
import { SchemaController } from './schema.controller.js';

/** Area D, in front of the schema service. */
@Module({ controllers: [InsightController, SchemaController, PrivacyController] })
export class SchemasModule {}
