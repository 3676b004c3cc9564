import { CreateSchemas1764000000001 } from './0001-create-schemas.js';

export const migrations = [CreateSchemas1764000000001];
