import { Module } from '@nestjs/common';
import { runRpcService } from '@weir/service-kit';
import { readFetcherConfig } from './config.js';
import { FetcherModule } from './fetcher.module.js';

const config = readFetcherConfig();

@Module({ imports: [FetcherModule.register(config)] })
class Fetcher {}

await runRpcService(Fetcher, { process: 'test-runner.fetcher', logLevel: config.logLevel, ops: config.ops });
