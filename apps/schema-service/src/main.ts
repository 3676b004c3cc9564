import { Module } from '@nestjs/common';
import { KitModule, runRpcService } from '@weir/service-kit';
import { readConfig } from './config.js';
import { InsightsModule } from './insights/insights.module.js';
import { ModelsModule } from './models/models.module.js';
import { PrivacyModule } from './privacy/privacy.module.js';
import { PurgeModule } from './purge/purge.service.js';
import { SCHEMA } from './schema.js';
import { UserKeysModule } from './secrets/user-keys.js';

const process = 'schema-service.main';
const config = readConfig();

@Module({
  imports: [
    KitModule.register({ process, config, schema: SCHEMA }),
    UserKeysModule,
    ModelsModule,
    InsightsModule,
    PrivacyModule,
    PurgeModule,
  ],
})
class MainModule {}

await runRpcService(MainModule, { process, config });
