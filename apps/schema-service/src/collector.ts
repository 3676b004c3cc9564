import { Module } from '@nestjs/common';
import { KitModule, runWorker } from '@weir/service-kit';
import { CollectorModule } from './collector/collector.module.js';
import { readCollectorConfig } from './config.js';
import { SCHEMA } from './schema.js';
import { UserKeysModule } from './secrets/user-keys.js';

const process = 'schema-service.collector';
const config = readCollectorConfig();

@Module({ imports: [KitModule.register({ process, config, schema: SCHEMA }), UserKeysModule, CollectorModule] })
class MainModule {}

await runWorker(MainModule, { process, config });
