import { AppError, type JsonObject } from '@weir/contracts';
import { type ApiCall, identifiersOf, required } from '../../deletion/api-call.js';
import { deleteByCalls } from '../../deletion/api-deletion.js';
import type { KindDeletion } from '../../kind.js';
import { accessToken } from './service-account.js';

const VENDOR = 'Google Analytics';
const SCOPE = 'https://www.googleapis.com/auth/analytics.edit';

/** Google's names for the user's keys, and the form of their values. A request takes one of them. */
const IDENTIFIERS: [key: string, name: string, form: (value: string) => string][] = [
  ['userId', 'userId', String],
  ['clientId', 'clientId', String],
  ['appInstanceId', 'appInstanceId', String],
  ['email', 'userProvidedData', normalEmail],
  ['phone', 'userProvidedData', normalPhone],
];

/**
 * Admin API, https://developers.google.com/analytics/devguides/config/admin/v1/rest/v1alpha/properties/submitUserDeletion. The
 * older User Deletion API belonged to Universal Analytics, which no longer exists. Google deletes later and has no call for the
 * outcome.
 */
export const ga4Deletion: KindDeletion = {
  usersMax: 1,
  identifiers: IDENTIFIERS.map(([key]) => key),
  requires: ['serviceAccountKey', 'propertyId'],
  delete: async ({ config, users }, outbound) => {
    const keyJson = required(config, 'serviceAccountKey');
    const answer = await accessToken(outbound, { keyJson, scope: SCOPE });
    if (!('token' in answer)) {
      return { status: 'failed', reason: `Google gave no access token to the service account (${answer.refusedWith})` };
    }
    return deleteByCalls(
      outbound,
      ga4Calls(config, users, answer.token),
      { vendor: VENDOR, success: 'forwarded' },
      users,
    );
  },
};

function ga4Calls(config: JsonObject, users: JsonObject[], token: string): ApiCall[] {
  const property = /^(?:properties\/)?(\d+)$/.exec(required(config, 'propertyId'))?.[1];
  if (property === undefined) throw new AppError('invalid', 'propertyId must be the number of a property');
  const url = `https://analyticsadmin.googleapis.com/v1alpha/properties/${property}:submitUserDeletion`;
  const headers = { authorization: `Bearer ${token}` };
  return IDENTIFIERS.flatMap(([key, name, form]) =>
    identifiersOf(users, key).map(
      (value): ApiCall => ({ method: 'POST', url, headers, body: { [name]: form(value) } }),
    ),
  );
}

/** Google ignores dots before the @. */
function normalEmail(value: string): string {
  const email = value.toLowerCase().replaceAll(/\s/g, '');
  const [name = '', domain = ''] = email.split('@');
  return /^(gmail|googlemail)\.com$/.test(domain) ? `${name.replaceAll('.', '')}@${domain}` : email;
}

function normalPhone(value: string): string {
  return `+${value.replaceAll(/\D/g, '')}`;
}
