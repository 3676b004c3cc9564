import { Module } from '@nestjs/common';
import { runWorker } from '@weir/service-kit';
import { readConfig } from './config.js';
import { FilterModule } from './filter.module.js';

const config = readConfig();

@Module({ imports: [FilterModule.register(config)] })
class Filter {}

await runWorker(Filter, { process: 'regulation-service.filter', logLevel: config.logLevel, ops: config.ops });
