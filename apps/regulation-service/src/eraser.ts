import { Module } from '@nestjs/common';
import { runWorker } from '@weir/service-kit';
import { readEraserConfig } from './config.js';
import { EraserModule } from './eraser.module.js';

const config = readEraserConfig();

@Module({ imports: [EraserModule.register(config)] })
class Eraser {}

await runWorker(Eraser, { process: 'regulation-service.eraser', logLevel: config.logLevel, ops: config.ops });
