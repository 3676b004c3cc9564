import type { JsonObject } from '@weir/contracts';
import { type ApiCall, type ApiDeletion, deleteByCall, required, userIdsOf } from '../api/api-deletion.js';
import { apiKind } from '../api/api-kind.js';

const PROFILES: ApiDeletion = {
  vendor: 'Mixpanel',
  success: 'complete',
  isRefusal: (body) => body.trim() === '0',
  note: 'only the profile was deleted; userDeletionApi "task" deletes events too',
};
const TASK: ApiDeletion = { vendor: 'Mixpanel', success: 'forwarded' };

/** Profiles at once, or with `userDeletionApi: "task"` all data by a job: https://developer.mixpanel.com/reference/gdpr-api */
export const mixpanel = apiKind({
  name: 'MP',
  displayName: 'Mixpanel',
  keys: {
    token: 'Project token',
    dataResidency: '`us`, `eu` or `in`',
    userDeletionApi: '`task`: all data, by a deletion job; otherwise the profile only',
    gdprApiToken: 'OAuth token for deletion jobs',
  },
  secretKeys: ['gdprApiToken'],
  usersMax: 1_000,
  remove: ({ config, users }, outbound) =>
    isTask(config)
      ? deleteByCall(outbound, mixpanelTask(config, users), TASK, users)
      : deleteByCall(outbound, mixpanelProfiles(config, users), PROFILES, users),
});

const isTask = (config: JsonObject) => config['userDeletionApi'] === 'task';

export function mixpanelProfiles(config: JsonObject, users: JsonObject[]): ApiCall {
  const region = regionOf(config);
  const token = required(config, 'token');
  return {
    method: 'POST',
    url: `https://api${region === 'us' ? '' : `-${region}`}.mixpanel.com/engage`,
    headers: { accept: 'text/plain' },
    body: userIdsOf(users).map((id) => ({ $distinct_id: id, $token: token, $delete: null, $ignore_alias: true })),
  };
}

export function mixpanelTask(config: JsonObject, users: JsonObject[]): ApiCall {
  const region = regionOf(config);
  const url = new URL(`https://${region === 'us' ? '' : `${region}.`}mixpanel.com/api/app/data-deletions/v3.0/`);
  url.searchParams.set('token', required(config, 'token'));
  return {
    method: 'POST',
    url: url.href,
    headers: { authorization: `Bearer ${required(config, 'gdprApiToken')}` },
    body: { distinct_ids: userIdsOf(users), compliance_type: region === 'eu' ? 'GDPR' : 'CCPA' },
  };
}

function regionOf({ dataResidency }: JsonObject): 'us' | 'eu' | 'in' {
  return dataResidency === 'eu' || dataResidency === 'in' ? dataResidency : 'us';
}
