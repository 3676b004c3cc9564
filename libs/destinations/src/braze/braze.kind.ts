import { apiKind } from '../api/api-kind.js';
import { brazeDeletion } from './braze.delete.js';

export const braze = apiKind({
  name: 'BRAZE',
  displayName: 'Braze',
  keys: { restApiKey: 'REST API key with users.delete', dataCenter: 'Instance, such as US-03 or EU-01' },
  secretKeys: ['restApiKey'],
  deletion: brazeDeletion,
});
