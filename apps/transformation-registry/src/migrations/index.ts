import { CreateRegistry1764000000001 } from './0001-create-registry.js';
import { CreateCredentials1764000000002 } from './0002-create-credentials.js';

/** In order; one that was released is never changed. */
export const migrations = [CreateRegistry1764000000001, CreateCredentials1764000000002];
