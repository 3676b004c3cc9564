import { apiKind } from '../api/api-kind.js';
import { customerioDeletion } from './customerio.delete.js';

export const customerio = apiKind({
  name: 'CUSTOMERIO',
  displayName: 'Customer.io',
  keys: { siteID: 'Site id', apiKey: 'Track API key', datacenter: '`US` or `EU`' },
  secretKeys: ['apiKey'],
  deletion: customerioDeletion,
});
