import { apiKind } from '../api/api-kind.js';
import { ga4Deletion } from './ga4.delete.js';

export const ga4 = apiKind({
  name: 'GA4',
  displayName: 'Google Analytics 4 (GA4)',
  keys: {
    propertyId: 'Number of the property, for deletion',
    serviceAccountKey: 'JSON key file of a service account that may edit the property, for deletion',
  },
  secretKeys: ['serviceAccountKey'],
  deletion: ga4Deletion,
});
