import { apiKind } from '../api/api-kind.js';
import { custifyDeletion } from './custify.delete.js';

export const custify = apiKind({
  name: 'CUSTIFY',
  displayName: 'Custify',
  keys: { apiKey: 'API key' },
  secretKeys: ['apiKey'],
  deletion: custifyDeletion,
});
