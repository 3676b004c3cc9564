import { AppError, type JsonObject } from '@weir/contracts';
import { type ApiCall, identifiersOf, required } from '../../deletion/api-call.js';
import { deleteByCall } from '../../deletion/api-deletion.js';
import type { KindDeletion } from '../../kind.js';
import * as kit from '../../toolkit/index.js';

/** Deletes persons at once, and their events and recordings in a weekly job: https://posthog.com/docs/api/persons */
export const posthogDeletion: KindDeletion = {
  usersMax: 100,
  identifiers: ['userId', 'anonymousId'],
  requires: ['yourInstance', 'projectId', 'personalApiKey'],
  delete: async ({ config, users }, outbound) =>
    deleteByCall(outbound, posthogCall(config, users), { vendor: 'PostHog', success: 'forwarded' }, users),
};

function posthogCall(config: JsonObject, users: JsonObject[]): ApiCall {
  const origin = apiOrigin(required(config, 'yourInstance'));
  return {
    method: 'POST',
    url: `${origin}/api/projects/${kit.pathSegment(required(config, 'projectId'), 'unsupported')}/persons/bulk_delete/`,
    headers: { authorization: `Bearer ${required(config, 'personalApiKey')}` },
    body: {
      distinct_ids: [...identifiersOf(users, 'userId'), ...identifiersOf(users, 'anonymousId')],
      delete_events: true,
      delete_recordings: true,
    },
  };
}

/** The cloud takes events at `us.i.posthog.com` but has its API at `us.posthog.com`. */
function apiOrigin(address: string): string {
  const url = URL.parse(/^https?:\/\//.test(address) ? address : `https://${address}`);
  if (url === null) throw new AppError('invalid', 'yourInstance must be an address');
  url.hostname = url.hostname.replace(/^(app|us|eu)\.i\.posthog\.com$/, '$1.posthog.com');
  return url.origin;
}
