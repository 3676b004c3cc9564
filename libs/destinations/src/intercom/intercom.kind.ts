import { apiKind } from '../api/api-kind.js';
import { intercomDeletion } from './intercom.delete.js';

export const intercom = apiKind({
  name: 'INTERCOM',
  displayName: 'Intercom',
  keys: { apiKey: 'Access token', apiServer: '`standard`, `eu` or `au`' },
  secretKeys: ['apiKey'],
  deletion: intercomDeletion,
});
