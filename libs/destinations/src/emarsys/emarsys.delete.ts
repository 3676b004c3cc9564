import { createHash, randomBytes } from 'node:crypto';
import { AppError, isJsonObject, type JsonObject } from '@weir/contracts';
import { type ApiCall, required } from '../api/api-call.js';
import { type ApiDeletion, deleteByCall, type KindDeletion } from '../api/api-deletion.js';
import { identifiersOf } from '../api/identifiers.js';
import { parsedJson } from '../api/json.js';

const ADDRESS = 'https://api.emarsys.net/api/v2/contact/delete';
/** Emarsys' number of the field for the email address. */
const EMAIL_FIELD = '3';
/** "No contact found", so there is nothing to delete. */
const NOT_FOUND = '2008';

const DELETION: ApiDeletion = { vendor: 'Emarsys', success: 'complete', isRefusal, isNothingToDo };

/**
 * https://dev.emarsys.com, Delete contacts. The values go under the number of the identifying field. No contact list is named:
 * our documentation mentions none, and a list must not limit the deletion.
 */
export const emarsysDeletion: KindDeletion = {
  // A request takes 1,000. Fewer keep it within the deadline.
  deletionUsersMax: 500,
  delete: async ({ config, users }, outbound) => {
    const key = userKeyOf(config);
    if (users.some((user) => identifiersOf([user], key).length === 0)) {
      const reason = `Emarsys knows its contacts by ${key}, which the regulation does not give`;
      return { status: 'aborted', reason, tryAlone: users.length > 1 };
    }
    return deleteByCall(outbound, emarsysCall(config, users), DELETION, users);
  },
};

export function emarsysCall(config: JsonObject, users: JsonObject[], now = new Date()): ApiCall {
  const field = fieldOf(config);
  const values = identifiersOf(users, userKeyOf(config));
  const headers = { 'x-wsse': wsse(required(config, 'emersysUsername'), required(config, 'emersysUserSecret'), now) };
  return { method: 'POST', url: ADDRESS, headers, body: { key_id: field, [field]: values } };
}

const fieldOf = ({ emersysCustomIdentifier: field }: JsonObject) =>
  typeof field === 'string' && field.trim() !== '' ? field.trim() : EMAIL_FIELD;

/** The user key that the field holds, according to the mapping in the configuration. */
function userKeyOf(config: JsonObject): string {
  const field = fieldOf(config);
  const { fieldMapping } = config;
  const mappings = Array.isArray(fieldMapping) ? fieldMapping.filter(isJsonObject) : [];
  const mapped = mappings.find(({ emersysProperty }) => String(emersysProperty) === field)?.['rudderProperty'];
  if (typeof mapped === 'string' && mapped !== '') return mapped;
  if (field === EMAIL_FIELD) return 'email';
  throw new AppError('invalid', 'fieldMapping must name the property for emersysCustomIdentifier');
}

/** The WSSE header of https://dev.emarsys.com, Authentication. The digest is the Base64 of a SHA-1 in hexadecimal digits. */
function wsse(user: string, secret: string, now: Date): string {
  const nonce = randomBytes(16).toString('hex');
  const created = now.toISOString();
  const digest = createHash('sha1').update(`${nonce}${created}${secret}`).digest('hex');
  const token = Buffer.from(digest).toString('base64');
  return `UsernameToken Username="${user}", PasswordDigest="${token}", Nonce="${nonce}", Created="${created}"`;
}

/** A 200 lists the contacts that could not be deleted. Unknown contacts among them are no failure. */
function isRefusal(body: string): boolean {
  const answer = parsedJson(body);
  const data = isJsonObject(answer) ? answer['data'] : undefined;
  const errors = isJsonObject(data) && isJsonObject(data['errors']) ? Object.values(data['errors']) : [];
  return errors.some((error) => isJsonObject(error) && Object.keys(error).some((code) => code !== NOT_FOUND));
}

/** 400 for a single unknown contact. Any other 400 is a real failure. */
function isNothingToDo(status: number, body: string): boolean {
  const answer = parsedJson(body);
  return status === 400 && isJsonObject(answer) && String(answer['replyCode']) === NOT_FOUND;
}
