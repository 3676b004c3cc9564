import { apiKind } from '../api/api-kind.js';
import { engageDeletion } from './engage.delete.js';

export const engage = apiKind({
  name: 'ENGAGE',
  displayName: 'Engage',
  keys: { publicKey: 'Public key', privateKey: 'Private key' },
  secretKeys: ['privateKey'],
  deletion: engageDeletion,
});
