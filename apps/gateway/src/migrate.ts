import { runMigrations } from '@weir/service-kit';
import { readMigrateConfig } from './config.js';
import { migrations } from './migrations/index.js';

const { databaseUrl, natsUrl } = readMigrateConfig();
await runMigrations({ schema: 'gateway', url: databaseUrl, natsUrl, migrations });
