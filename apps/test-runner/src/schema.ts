import { migrations } from './migrations/index.js';
import { TestRunEntity } from './test-runs/test-run.repository.js';

/** The schema of the database that this app owns. */
export const SCHEMA = { name: 'runner' as const, migrations, entities: [TestRunEntity] };
