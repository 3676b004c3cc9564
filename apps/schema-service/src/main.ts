import { Module } from '@nestjs/common';
import { KitModule, opsAddressOf, runRpcService } from '@weir/service-kit';
import { databaseOf, readConfig } from './config.js';
import { InsightsModule } from './insights/insights.module.js';
import { ModelsModule } from './models/models.module.js';
import { PrivacyModule } from './privacy/privacy.module.js';
import { PurgeModule } from './purge/purge.module.js';
import { PepperModule } from './secrets/pepper.module.js';

const PROCESS = 'schema-service.main';
const config = readConfig();

@Module({
  imports: [
    KitModule.register({ process: PROCESS, natsUrl: config.NATS_URL, database: databaseOf(config) }),
    PepperModule.register(config.SCHEMA_PEPPER),
    ModelsModule,
    InsightsModule,
    PrivacyModule,
    PurgeModule,
  ],
})
class MainModule {}

await runRpcService(MainModule, { process: PROCESS, logLevel: config.LOG_LEVEL, ops: opsAddressOf(config) });
