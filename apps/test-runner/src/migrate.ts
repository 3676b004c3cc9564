import { readMigrateConfig, runMigrations } from '@weir/service-kit';
import { SCHEMA } from './schema.js';

await runMigrations({ schema: SCHEMA.name, migrations: SCHEMA.migrations, ...readMigrateConfig() });
