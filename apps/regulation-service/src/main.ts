import { Module } from '@nestjs/common';
import { runRpcService } from '@weir/service-kit';
import { readMainConfig } from './config.js';
import { RegulationModule } from './regulation.module.js';

const config = readMainConfig();

@Module({ imports: [RegulationModule.register(config)] })
class Main {}

await runRpcService(Main, { process: 'regulation-service.main', logLevel: config.logLevel, ops: config.ops });
