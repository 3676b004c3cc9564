import { Module } from '@nestjs/common';
import { runWorker } from '@weir/service-kit';
import { readConfig } from './config.js';
import { DelivererModule } from './deliverer.module.js';

const config = readConfig();

@Module({ imports: [DelivererModule.register(config)] })
class Deliverer {}

await runWorker(Deliverer, { process: 'test-runner.deliverer', logLevel: config.logLevel, ops: config.ops });
