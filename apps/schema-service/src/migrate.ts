import { readMigrateConfig, runMigrations } from '@weir/service-kit';
import { migrations } from './migrations/index.js';

await runMigrations({ schema: 'schemas', migrations, ...readMigrateConfig() });
