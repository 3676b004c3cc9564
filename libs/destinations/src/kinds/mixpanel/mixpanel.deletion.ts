import { isJsonObject, type JsonObject } from '@weir/contracts';
import { type ApiCall, identifiersOf, required, userIdsOf } from '../../deletion/api-call.js';
import { type ApiDeletion, askStatus, deleteByCall } from '../../deletion/api-deletion.js';
import type { DeletionOutcome, KindDeletion } from '../../kind.js';
import { objectsOf, parsedJson } from '../../toolkit/convert.js';
import { regionOf } from './mixpanel.event.js';

const VENDOR = 'Mixpanel';
const PROFILES: ApiDeletion = {
  vendor: VENDOR,
  success: 'complete',
  isRefusal: (body) => body.trim() === '0',
  note: 'only the profile was deleted; userDeletionApi "task" deletes events too',
};
const TASK: ApiDeletion = { vendor: VENDOR, success: 'forwarded', jobReferenceOf: taskIdOf };

/** Deletes profiles at once, or all data by a job with `userDeletionApi: "task"`: https://docs.mixpanel.com/reference/gdpr-api */
export const mixpanelDeletion: KindDeletion = {
  // A request takes 1,999 ids, and a user may have three.
  usersMax: 600,
  identifiers: ['userId', 'anonymousId'],
  delete: async ({ config, users }, outbound) =>
    config['userDeletionApi'] === 'task'
      ? deleteByCall(outbound, mixpanelTask(config, users), TASK, users)
      : deleteByCall(outbound, mixpanelProfiles(config, users), PROFILES, users),
  status: async ({ config, jobReference }, outbound) =>
    askStatus(outbound, mixpanelTaskStatus(config, jobReference), VENDOR, outcomeOfTask),
};

/** Projects with simplified identities prefix device ids with `$device:`. */
function distinctIds(users: JsonObject[]): string[] {
  const devices = identifiersOf(users, 'anonymousId').flatMap((id) => [id, `$device:${id}`]);
  return [...new Set([...userIdsOf(users), ...devices])];
}

function mixpanelProfiles(config: JsonObject, users: JsonObject[]): ApiCall {
  const region = regionOf(config);
  const token = required(config, 'token');
  return {
    method: 'POST',
    url: `https://api${region === 'us' ? '' : `-${region}`}.mixpanel.com/engage`,
    headers: { accept: 'text/plain' },
    body: distinctIds(users).map((id) => ({ $distinct_id: id, $token: token, $delete: null, $ignore_alias: true })),
  };
}

function mixpanelTask(config: JsonObject, users: JsonObject[]): ApiCall {
  return {
    method: 'POST',
    url: taskAddress(config, ''),
    headers: headersOf(config),
    body: { distinct_ids: distinctIds(users), compliance_type: regionOf(config) === 'eu' ? 'GDPR' : 'CCPA' },
  };
}

const mixpanelTaskStatus = (config: JsonObject, taskId: string): ApiCall => ({
  method: 'GET',
  url: taskAddress(config, encodeURIComponent(taskId)),
  headers: headersOf(config),
});

/** The documentation shows both names. */
function taskIdOf(body: string): string | undefined {
  const answer = parsedJson(body);
  const [result] = isJsonObject(answer) ? objectsOf(answer['results']) : [];
  const id = String(result?.['tracking_id'] ?? result?.['task_id'] ?? '');
  return /^[\w-]{1,64}$/.test(id) ? id : undefined;
}

function outcomeOfTask(answer: unknown): DeletionOutcome | undefined {
  const [result] = isJsonObject(answer) ? objectsOf(answer['results']) : [];
  const status = result?.['status'];
  if (status === 'SUCCESS') return { status: 'complete' };
  if (status === 'PENDING' || status === 'STAGING' || status === 'STARTED') return { status: 'forwarded' };
  if (status === 'FAILURE') return { status: 'aborted', reason: `${VENDOR} says that the deletion task failed` };
  if (status === 'REVOKED') return { status: 'aborted', reason: `the deletion task was cancelled at ${VENDOR}` };
  return undefined;
}

function taskAddress(config: JsonObject, path: string): string {
  const region = regionOf(config);
  const url = new URL(`https://${region === 'us' ? '' : `${region}.`}mixpanel.com/api/app/data-deletions/v3.0/${path}`);
  url.searchParams.set('token', required(config, 'token'));
  return url.href;
}

const headersOf = (config: JsonObject) => ({ authorization: `Bearer ${required(config, 'gdprApiToken')}` });
