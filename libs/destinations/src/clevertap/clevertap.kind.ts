import { AppError, isJsonObject, type JsonObject } from '@weir/contracts';
import { type ApiCall, deleteByCall, required, userIdsOf } from '../api/api-deletion.js';
import { apiKind } from '../api/api-kind.js';

/** https://developer.clevertap.com/docs/delete-user-profile-api */
export const clevertap = apiKind({
  name: 'CLEVERTAP',
  displayName: 'CleverTap',
  keys: { accountId: 'Project id', passcode: 'Passcode', region: 'Region, such as in1; `none` for the default' },
  secretKeys: ['passcode'],
  usersMax: 100,
  remove: ({ config, users }, outbound) =>
    deleteByCall(
      outbound,
      clevertapCall(config, users),
      { vendor: 'CleverTap', success: 'complete', isRefusal: saysFail },
      users,
    ),
});

export function clevertapCall(config: JsonObject, users: JsonObject[]): ApiCall {
  return {
    method: 'POST',
    url: `https://${hostOf(config['region'])}/1/delete/profiles.json`,
    headers: {
      'x-clevertap-account-id': required(config, 'accountId'),
      'x-clevertap-passcode': required(config, 'passcode'),
    },
    body: { identity: userIdsOf(users) },
  };
}

function hostOf(region: unknown): string {
  if (region === undefined || region === null || region === '' || region === 'none') return 'api.clevertap.com';
  if (typeof region !== 'string' || !/^[a-z\d]{1,10}$/.test(region)) throw new AppError('invalid', 'region is unknown');
  return `${region}.api.clevertap.com`;
}

/** It answers 200 also to what it could not do, with `status` telling. */
function saysFail(body: string): boolean {
  try {
    const answer: unknown = JSON.parse(body);
    return isJsonObject(answer) && (answer['status'] === 'fail' || answer['status'] === 'partial');
  } catch {
    return false;
  }
}
