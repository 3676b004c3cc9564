import { apiKind } from '../api/api-kind.js';
import { iterableDeletion } from './iterable.delete.js';

export const iterable = apiKind({
  name: 'ITERABLE',
  displayName: 'Iterable',
  keys: { apiKey: 'Server-side API key', dataCenter: '`USDC` or `EUDC`' },
  secretKeys: ['apiKey'],
  deletion: iterableDeletion,
});
