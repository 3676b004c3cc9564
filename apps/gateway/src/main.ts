import { serve } from '@weir/service-kit';
import { createApp } from './app.js';
import { readConfig } from './config.js';

const config = readConfig();
const app = await createApp(config);
await app.listen(config.port, '0.0.0.0');
await serve(app, { process: 'gateway.main', logLevel: config.logLevel, opsPort: config.opsPort });
