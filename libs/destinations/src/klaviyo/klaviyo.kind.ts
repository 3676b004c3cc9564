import type { JsonObject } from '@weir/contracts';
import { type ApiCall, onlyUser, required } from '../api/api-deletion.js';
import { apiKind } from '../api/api-kind.js';
import { deleteFound } from '../api/delete-found.js';

const ORIGIN = 'https://a.klaviyo.com/api';
const REVISION = '2025-01-15';

/** https://developers.klaviyo.com/en/reference/request_profile_deletion: a job for the profile that `external_id` finds. */
export const klaviyo = apiKind({
  name: 'KLAVIYO',
  displayName: 'Klaviyo',
  keys: { privateApiKey: 'Private API key with profiles:read and data-privacy:write' },
  secretKeys: ['privateApiKey'],
  usersMax: 1,
  remove: ({ config, users }, outbound) =>
    deleteFound(outbound, klaviyoSearch(config, users), (id) => klaviyoRemoval(config, id), {
      vendor: 'Klaviyo',
      success: 'forwarded',
    }),
});

export function klaviyoSearch(config: JsonObject, users: JsonObject[]): ApiCall {
  const url = new URL(`${ORIGIN}/profiles`);
  url.searchParams.set('filter', `equals(external_id,${JSON.stringify(String(onlyUser(users)['userId']))})`);
  return { method: 'GET', url: url.href, headers: headersOf(config) };
}

export function klaviyoRemoval(config: JsonObject, id: string): ApiCall {
  return {
    method: 'POST',
    url: `${ORIGIN}/data-privacy-deletion-jobs`,
    headers: { ...headersOf(config), 'content-type': 'application/vnd.api+json' },
    body: {
      data: { type: 'data-privacy-deletion-job', attributes: { profile: { data: { type: 'profile', id } } } },
    },
  };
}

const headersOf = (config: JsonObject) => ({
  accept: 'application/vnd.api+json',
  authorization: `Klaviyo-API-Key ${required(config, 'privateApiKey')}`,
  revision: REVISION,
});
