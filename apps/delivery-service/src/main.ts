import { runRpcService } from '@weir/service-kit';
import { readConfig } from './config.js';
import { RequestsModule } from './requests/requests.module.js';

const config = readConfig();

await runRpcService(RequestsModule.register(config), { process: 'delivery-service.main', config });
