import type { JsonObject } from '@weir/contracts';
import { type ApiCall, onlyUser, pathSegment, required } from '../api/api-deletion.js';
import { apiKind } from '../api/api-kind.js';
import { deleteFound } from '../api/delete-found.js';

const HOSTS = new Map<unknown, string>([
  ['eu', 'api.eu.intercom.io'],
  ['au', 'api.au.intercom.io'],
]);
const API_VERSION = '2.10';

/** Contacts API, https://developers.intercom.com/docs/references: found by `external_id`, deleted by Intercom's own id. */
export const intercom = apiKind({
  name: 'INTERCOM',
  displayName: 'Intercom',
  keys: { apiKey: 'Access token', apiServer: '`standard`, `eu` or `au`' },
  secretKeys: ['apiKey'],
  usersMax: 1,
  remove: ({ config, users }, outbound) =>
    deleteFound(outbound, intercomSearch(config, users), (id) => intercomRemoval(config, id), {
      vendor: 'Intercom',
      success: 'complete',
      isAddressed: true,
    }),
});

export function intercomSearch(config: JsonObject, users: JsonObject[]): ApiCall {
  const value = String(onlyUser(users)['userId']);
  return {
    method: 'POST',
    url: `${originOf(config)}/contacts/search`,
    headers: headersOf(config),
    body: { query: { field: 'external_id', operator: '=', value } },
  };
}

export function intercomRemoval(config: JsonObject, id: string): ApiCall {
  return { method: 'DELETE', url: `${originOf(config)}/contacts/${pathSegment(id)}`, headers: headersOf(config) };
}

const originOf = ({ apiServer }: JsonObject) => `https://${HOSTS.get(apiServer) ?? 'api.intercom.io'}`;

const headersOf = (config: JsonObject) => ({
  authorization: `Bearer ${required(config, 'apiKey')}`,
  'intercom-version': API_VERSION,
});
