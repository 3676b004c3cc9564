import { apiKind } from '../api/api-kind.js';
import { clevertapDeletion } from './clevertap.delete.js';

export const clevertap = apiKind({
  name: 'CLEVERTAP',
  displayName: 'CleverTap',
  keys: { accountId: 'Project id', passcode: 'Passcode', region: 'Region, such as in1; `none` for the default' },
  secretKeys: ['passcode'],
  deletion: clevertapDeletion,
});
