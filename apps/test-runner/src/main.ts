import { Module } from '@nestjs/common';
import { runRpcService } from '@weir/service-kit';
import { readConfig } from './config.js';
import { RunnerModule } from './runner.module.js';

const config = readConfig();

@Module({ imports: [RunnerModule.register(config)] })
class Main {}

await runRpcService(Main, { process: 'test-runner.main', logLevel: config.logLevel, ops: config.ops });
