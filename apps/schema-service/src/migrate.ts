import { runMigrations } from '@weir/service-kit';
import { databaseOf, readConfig } from './config.js';

const config = readConfig();
await runMigrations({ ...databaseOf(config), natsUrl: config.NATS_URL });
