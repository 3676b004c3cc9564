import { runRpcService } from '@weir/service-kit';
import { readConfig } from './config.js';
import { RegulationModule } from './regulation.module.js';

const config = readConfig();
await runRpcService(RegulationModule.register(config), { process: 'regulation-service.main', config });
