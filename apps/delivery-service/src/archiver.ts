import { runWorker } from '@weir/service-kit';
import { ArchiverModule } from './archiver.module.js';
import { readArchiverConfig } from './config.js';

const config = readArchiverConfig();

await runWorker(ArchiverModule.register(config), { process: 'delivery-service.archiver', config });
