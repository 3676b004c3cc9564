import { AppError, isJsonObject, type JsonObject } from '@weir/contracts';
import { type ApiCall, identifiersOf, required } from '../../deletion/api-call.js';
import { type ApiDeletion, deleteByCall } from '../../deletion/api-deletion.js';
import type { KindDeletion } from '../../kind.js';
import * as kit from '../../toolkit/index.js';
import { EMAIL_FIELD, propertyOf } from './emarsys.contact.js';
import { wsse } from './emarsys.wsse.js';

const ADDRESS = 'https://api.emarsys.net/api/v2/contact/delete';
/** "No contact found", so there is nothing to delete. */
const NOT_FOUND = '2008';

const DELETION: ApiDeletion = { vendor: 'Emarsys', success: 'complete', isRefusal, isNothingToDo };

/**
 * https://dev.emarsys.com, Delete contacts. The values go under the number of the identifying field. No contact list is named:
 * our documentation mentions none, and a list must not limit the deletion.
 */
export const emarsysDeletion: KindDeletion = {
  // A request takes 1,000. Fewer keep it within the deadline.
  usersMax: 500,
  delete: async ({ config, users }, outbound) => {
    const key = userKeyOf(config);
    if (users.some((user) => identifiersOf([user], key).length === 0)) {
      const reason = `Emarsys knows its contacts by ${key}, which the regulation does not give`;
      return { status: 'aborted', reason, tryAlone: users.length > 1 };
    }
    return deleteByCall(outbound, emarsysCall(config, users), DELETION, users);
  },
};

function emarsysCall(config: JsonObject, users: JsonObject[], now = new Date()): ApiCall {
  const field = fieldOf(config);
  const values = identifiersOf(users, userKeyOf(config));
  const { headers } = wsse(required(config, 'emersysUsername'), required(config, 'emersysUserSecret'), now);
  return { method: 'POST', url: ADDRESS, headers, body: { key_id: field, [field]: values } };
}

const fieldOf = (config: JsonObject) => kit.configText(config, 'emersysCustomIdentifier') || EMAIL_FIELD;

/** The user key that the field holds, according to the mapping in the configuration. */
function userKeyOf(config: JsonObject): string {
  return (
    propertyOf(config, fieldOf(config)) ?? invalid('fieldMapping must name the property for emersysCustomIdentifier')
  );
}

function invalid(message: string): never {
  throw new AppError('invalid', message);
}

/** A 200 lists the contacts that could not be deleted. Unknown contacts among them are not failure. */
function isRefusal(body: string): boolean {
  const errors = Object.values(kit.objectAt(kit.parsedJson(body), 'data.errors'));
  return errors.some((error) => isJsonObject(error) && Object.keys(error).some((code) => code !== NOT_FOUND));
}

/** 400 for a single unknown contact. Any other 400 is a real failure. */
function isNothingToDo(status: number, body: string): boolean {
  const answer = kit.parsedJson(body);
  return status === 400 && isJsonObject(answer) && String(answer['replyCode']) === NOT_FOUND;
}
