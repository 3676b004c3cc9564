import { Module } from '@nestjs/common';
import { KitModule, runWorker } from '@weir/service-kit';
import { CollectorModule } from './collector/collector.module.js';
import { databaseOf, readConfig } from './config.js';

const PROCESS = 'schema-service.collector';
const config = readConfig();

@Module({
  imports: [
    KitModule.register({ process: PROCESS, natsUrl: config.NATS_URL, database: databaseOf(config) }),
    CollectorModule,
  ],
})
class MainModule {}

await runWorker(MainModule, { process: PROCESS, logLevel: config.LOG_LEVEL, opsPort: config.OPS_PORT });
