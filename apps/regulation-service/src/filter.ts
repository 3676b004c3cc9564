import { runWorker } from '@weir/service-kit';
import { readFilterConfig } from './config.js';
import { FilterModule } from './filter.module.js';

const config = readFilterConfig();
await runWorker(FilterModule.register(config), { process: 'regulation-service.filter', config });
