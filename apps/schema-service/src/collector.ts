import { Module } from '@nestjs/common';
import { KitModule, opsAddressOf, runWorker } from '@weir/service-kit';
import { CollectorModule } from './collector/collector.module.js';
import { capsOf, databaseOf, readCollectorConfig } from './config.js';

const PROCESS = 'schema-service.collector';
const config = readCollectorConfig();

@Module({
  imports: [
    KitModule.register({ process: PROCESS, natsUrl: config.NATS_URL, database: databaseOf(config) }),
    CollectorModule.register(capsOf(config)),
  ],
})
class MainModule {}

await runWorker(MainModule, { process: PROCESS, logLevel: config.LOG_LEVEL, ops: opsAddressOf(config) });
