import type { JsonObject } from '@weir/contracts';
import { type ApiCall, identifiersOf, required } from '../../deletion/api-call.js';
import { deleteFound } from '../../deletion/api-deletion.js';
import type { KindDeletion } from '../../kind.js';

const ORIGIN = 'https://a.klaviyo.com/api';
const REVISION = '2025-01-15';
/** Klaviyo's fields for the user's keys. */
const FIELDS = { userId: 'external_id', email: 'email', phone: 'phone_number' };

/**
 * https://developers.klaviyo.com/en/reference/request_profile_deletion. Creates a job for each profile found. No call returns the
 * outcome of a job, because Klaviyo shows deleted profiles only in its own pages.
 */
export const klaviyoDeletion: KindDeletion = {
  usersMax: 1,
  identifiers: Object.keys(FIELDS),
  requires: ['privateApiKey'],
  delete: async ({ config, users }, outbound) =>
    deleteFound(
      outbound,
      { calls: klaviyoSearches(config, users) },
      (ids) => ids.map((id) => klaviyoRemoval(config, id)),
      { vendor: 'Klaviyo', success: 'forwarded' },
    ),
};

/** A filter compares one field. */
const klaviyoSearches = (config: JsonObject, users: JsonObject[]): ApiCall[] =>
  Object.entries(FIELDS).flatMap(([key, field]) =>
    identifiersOf(users, key).map((value) => {
      const url = new URL(`${ORIGIN}/profiles`);
      url.searchParams.set('filter', `equals(${field},${JSON.stringify(value)})`);
      return { method: 'GET', url: url.href, headers: headersOf(config) };
    }),
  );

function klaviyoRemoval(config: JsonObject, id: string): ApiCall {
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
