import { runWorker } from '@weir/service-kit';
import { readDelivererConfig } from './config.js';
import { DelivererModule } from './deliverer.module.js';

const config = readDelivererConfig();

await runWorker(DelivererModule.register(config), { process: 'delivery-service.deliverer', config });
