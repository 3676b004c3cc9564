import { readMigrateConfig, runMigrations } from '@weir/service-kit';
import { migrations } from './migrations/index.js';

await runMigrations({ schema: 'delivery', migrations, ...readMigrateConfig() });
