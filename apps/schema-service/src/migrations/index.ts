import { CreateSchemas1764000000001 } from './0001-create-schemas.js';
import { KeepPartsAndNotices1764000000002 } from './0002-keep-parts-and-notices.js';

export const migrations = [CreateSchemas1764000000001, KeepPartsAndNotices1764000000002];
