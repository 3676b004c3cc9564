import { Module } from '@nestjs/common';
import { KitModule, opsAddressOf, runRpcService } from '@weir/service-kit';
import { databaseOf, readConfig } from './config.js';
import { RegistryModule } from './registry.module.js';

const PROCESS = 'transformation-registry.main';
const config = readConfig();

@Module({
  imports: [
    KitModule.register({ process: PROCESS, natsUrl: config.NATS_URL, database: databaseOf(config) }),
    RegistryModule,
  ],
})
class MainModule {}

await runRpcService(MainModule, { process: PROCESS, logLevel: config.LOG_LEVEL, ops: opsAddressOf(config) });
