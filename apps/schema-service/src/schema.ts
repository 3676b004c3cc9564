import { migrations } from './migrations/index.js';
import { SourcePrivacyEntity } from './privacy/privacy.repository.js';

/** The service's own schema of the database. */
export const SCHEMA = { name: 'schemas' as const, migrations, entities: [SourcePrivacyEntity] };
