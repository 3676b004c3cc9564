import { runRpcService } from '@weir/service-kit';
import { readConfig } from './config.js';
import { RegistryModule } from './registry.module.js';

const config = readConfig();
await runRpcService(RegistryModule.register(config), { process: 'transformation-registry.main', config });
