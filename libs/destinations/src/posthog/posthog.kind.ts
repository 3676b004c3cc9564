import { apiKind } from '../api/api-kind.js';
import { posthogDeletion } from './posthog.delete.js';

export const posthog = apiKind({
  name: 'POSTHOG',
  displayName: 'PostHog',
  keys: {
    yourInstance: 'Address, such as https://us.i.posthog.com',
    projectId: 'Project id, for deletion',
    personalApiKey: 'Personal API key with person:write, for deletion',
  },
  secretKeys: ['personalApiKey'],
  addressKeys: ['yourInstance'],
  deletion: posthogDeletion,
});
