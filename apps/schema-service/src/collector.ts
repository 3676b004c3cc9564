import { Module } from '@nestjs/common';
import { KitModule, opsAddressOf, runWorker } from '@weir/service-kit';
import { CollectorModule } from './collector/collector.module.js';
import { capsOf, databaseOf, readCollectorConfig } from './config.js';
import { PepperModule } from './secrets/pepper.module.js';

const PROCESS = 'schema-service.collector';
const config = readCollectorConfig();

@Module({
  imports: [
    KitModule.register({ process: PROCESS, natsUrl: config.NATS_URL, database: databaseOf(config) }),
    PepperModule.register(config.SCHEMA_PEPPER),
    CollectorModule.register(capsOf(config)),
  ],
})
class MainModule {}

await runWorker(MainModule, { process: PROCESS, logLevel: config.LOG_LEVEL, ops: opsAddressOf(config) });
