import { runWorker } from '@weir/service-kit';
import { readEraserConfig } from './config.js';
import { EraserModule } from './eraser.module.js';

const config = readEraserConfig();
await runWorker(EraserModule.register(config), { process: 'regulation-service.eraser', config });
