import { serve } from '@weir/service-kit';
import { createApp } from './app.module.js';
import { readConfig } from './config.js';

const config = readConfig();
const start = async () => {
  const { app, privatePort } = await createApp(config);
  await app.listen(config.port, config.host);
  await privatePort?.listen();
  return app;
};
await serve(start, { process: 'gateway.main', config });
