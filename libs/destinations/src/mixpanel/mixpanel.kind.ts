import { apiKind } from '../api/api-kind.js';
import { mixpanelDeletion } from './mixpanel.delete.js';

export const mixpanel = apiKind({
  name: 'MP',
  displayName: 'Mixpanel',
  keys: {
    token: 'Project token',
    dataResidency: '`us`, `eu` or `in`',
    userDeletionApi: '`task`: all data, by a deletion job; otherwise the profile only',
    gdprApiToken: 'OAuth token for deletion jobs',
  },
  secretKeys: ['gdprApiToken'],
  deletion: mixpanelDeletion,
});
