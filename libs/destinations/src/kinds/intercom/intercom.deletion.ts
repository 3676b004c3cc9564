import type { JsonObject } from '@weir/contracts';
import { type ApiCall, identifiersOf, required } from '../../deletion/api-call.js';
import { deleteFound } from '../../deletion/api-deletion.js';
import type { KindDeletion } from '../../kind.js';
import * as kit from '../../toolkit/index.js';
import { API_VERSION, originOf } from './intercom.fields.js';

/** Maximum page size of a search. Enough for every contact of one person. */
const FOUND_MAX = 150;
/** Intercom's fields for the user's keys. */
const FIELDS = { userId: 'external_id', email: 'email', phone: 'phone' };

/**
 * Contacts API, https://developers.intercom.com/docs/references. Finds contacts by our identifiers and deletes them by Intercom's
 * own id.
 */
export const intercomDeletion: KindDeletion = {
  usersMax: 1,
  identifiers: Object.keys(FIELDS),
  requires: ['apiKey'],
  delete: async ({ config, users }, outbound) =>
    deleteFound(
      outbound,
      { calls: intercomSearches(config, users) },
      (ids) => ids.map((id) => intercomRemoval(config, id)),
      { vendor: 'Intercom', success: 'complete', isAddressed: true },
    ),
};

/** No search without an identifier, because an empty search might find everybody. */
function intercomSearches(config: JsonObject, users: JsonObject[]): ApiCall[] {
  const matches = Object.entries(FIELDS).flatMap(([key, field]) =>
    identifiersOf(users, key).map((value) => ({ field, operator: '=', value })),
  );
  const body = { query: { operator: 'OR', value: matches }, pagination: { per_page: FOUND_MAX } };
  const url = `${originOf(config)}/contacts/search`;
  return matches.length === 0 ? [] : [{ method: 'POST', url, headers: headersOf(config), body }];
}

function intercomRemoval(config: JsonObject, id: string): ApiCall {
  return {
    method: 'DELETE',
    url: `${originOf(config)}/contacts/${kit.pathSegment(id, 'unsupported')}`,
    headers: headersOf(config),
  };
}

const headersOf = (config: JsonObject) => ({
  authorization: `Bearer ${required(config, 'apiKey')}`,
  'intercom-version': API_VERSION,
});
