import { Module } from '@nestjs/common';
import { SchemaController } from './schema.controller.js';

/** Area D, in front of the schema service. */
@Module({ controllers: [SchemaController] })
export class SchemasModule {}
