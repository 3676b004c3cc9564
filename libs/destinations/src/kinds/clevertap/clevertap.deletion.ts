import { AppError, isJsonObject, type JsonObject } from '@weir/contracts';
import { type ApiCall, identifiersOf, required } from '../../deletion/api-call.js';
import { deleteByCalls } from '../../deletion/api-deletion.js';
import type { KindDeletion } from '../../kind.js';
import { parsedJson } from '../../toolkit/convert.js';

/** https://developer.clevertap.com/docs/delete-user-profile-api. Deletes by identities or by CleverTap's own ids (`guid`). */
export const clevertapDeletion: KindDeletion = {
  usersMax: 100,
  identifiers: ['userId', 'guid'],
  requires: ['accountId', 'passcode'],
  delete: async ({ config, users }, outbound) =>
    deleteByCalls(
      outbound,
      clevertapCalls(config, users),
      { vendor: 'CleverTap', success: 'complete', isRefusal: saysFail },
      users,
    ),
};

function clevertapCalls(config: JsonObject, users: JsonObject[]): ApiCall[] {
  const url = `https://${hostOf(config['region'])}/1/delete/profiles.json`;
  const headers = {
    'x-clevertap-account-id': required(config, 'accountId'),
    'x-clevertap-passcode': required(config, 'passcode'),
  };
  const lists = { identity: identifiersOf(users, 'userId'), guid: identifiersOf(users, 'guid') };
  return Object.entries(lists)
    .filter(([, ids]) => ids.length > 0)
    .map(([key, ids]) => ({ method: 'POST', url, headers, body: { [key]: ids } }));
}

function hostOf(region: unknown): string {
  if (region === undefined || region === null || region === '' || region === 'none') return 'api.clevertap.com';
  if (typeof region !== 'string' || !/^[a-z\d]{1,10}$/.test(region)) throw new AppError('invalid', 'region is unknown');
  return `${region}.api.clevertap.com`;
}

/** A failed deletion also gets 200. Only `status` reveals it. */
function saysFail(body: string): boolean {
  const answer = parsedJson(body);
  return isJsonObject(answer) && (answer['status'] === 'fail' || answer['status'] === 'partial');
}
