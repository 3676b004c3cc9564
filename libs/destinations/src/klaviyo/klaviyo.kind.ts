import { apiKind } from '../api/api-kind.js';
import { klaviyoDeletion } from './klaviyo.delete.js';

export const klaviyo = apiKind({
  name: 'KLAVIYO',
  displayName: 'Klaviyo',
  keys: { privateApiKey: 'Private API key with profiles:read and data-privacy:write' },
  secretKeys: ['privateApiKey'],
  deletion: klaviyoDeletion,
});
