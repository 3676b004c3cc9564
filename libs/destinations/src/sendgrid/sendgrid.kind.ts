import { apiKind } from '../api/api-kind.js';
import { sendgridDeletion } from './sendgrid.delete.js';

export const sendgrid = apiKind({
  name: 'SENDGRID',
  displayName: 'SendGrid',
  keys: { apiKey: 'API key with access to Marketing contacts' },
  secretKeys: ['apiKey'],
  deletion: sendgridDeletion,
});
