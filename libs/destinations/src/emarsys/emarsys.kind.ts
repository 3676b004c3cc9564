import { apiKind } from '../api/api-kind.js';
import type { DestinationKind } from '../kind.js';
import { emarsysDeletion } from './emarsys.delete.js';

export const emarsys: DestinationKind = apiKind({
  name: 'EMARSYS',
  displayName: 'Emarsys',
  keys: {
    emersysUsername: 'API user name',
    emersysUserSecret: 'API user secret',
    emersysCustomIdentifier: 'Number of the field that identifies contacts; 3, the email address, by default',
    fieldMapping: 'Properties and the numbers of the fields that hold them',
  },
  schemas: {
    fieldMapping: {
      type: 'array',
      maxItems: 1_000,
      items: {
        type: 'object',
        properties: { rudderProperty: { type: 'string' }, emersysProperty: { type: ['string', 'number'] } },
      },
    },
  },
  secretKeys: ['emersysUsername', 'emersysUserSecret'],
  deletion: emarsysDeletion,
});
