import { apiKind } from '../api/api-kind.js';
import { sprigDeletion } from './sprig.delete.js';

export const sprig = apiKind({
  name: 'SPRIG',
  displayName: 'Sprig',
  keys: { apiKey: 'API key' },
  secretKeys: ['apiKey'],
  deletion: sprigDeletion,
});
