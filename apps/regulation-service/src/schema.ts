import { migrations } from './migrations/index.js';
import { RegulationEntity } from './regulations/regulation.repository.js';

/** The service's own schema of the database. */
export const SCHEMA = { name: 'regulation' as const, migrations, entities: [RegulationEntity] };
