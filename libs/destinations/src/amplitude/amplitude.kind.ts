import { apiKind } from '../api/api-kind.js';
import { amplitudeDeletion } from './amplitude.delete.js';

export const amplitude = apiKind({
  name: 'AM',
  displayName: 'Amplitude',
  keys: { apiKey: 'API key', apiSecret: 'Secret key, for deletion', residencyServer: '`EU`, or `standard`' },
  secretKeys: ['apiSecret'],
  deletion: amplitudeDeletion,
});
