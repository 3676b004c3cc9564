import { createHash, randomBytes } from 'node:crypto';
import { AppError, isJsonObject, type JsonObject } from '@weir/contracts';
import { type ApiCall, required } from '../api/api-call.js';
import { type ApiDeletion, deleteByCall, type KindDeletion } from '../api/api-deletion.js';
import { identifiersOf } from '../api/identifiers.js';
import { parsedJson } from '../api/json.js';

const ADDRESS = 'https://api.emarsys.net/api/v2/contact/delete';
/** Emarsys' own number of the field that holds the email address. */
const EMAIL_FIELD = '3';
/** "No contact found": there is nothing to delete. */
const NOT_FOUND = '2008';

const DELETION: ApiDeletion = { vendor: 'Emarsys', success: 'complete', isRefusal, isNothingToDo };

/**
 * https://dev.emarsys.com, Delete contacts: the values stand under the number of the field that identifies contacts. No
 * contact list is named: the documentation that we have knows none, and a list must not limit what is forgotten.
 */
export const emarsysDeletion: KindDeletion = {
  // A request takes 1,000; fewer keep it within the deadline.
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

/** Which of the user's keys is held by the field, as the mapping of the configuration says. */
function userKeyOf(config: JsonObject): string {
  const field = fieldOf(config);
  const { fieldMapping } = config;
  const mappings = Array.isArray(fieldMapping) ? fieldMapping.filter(isJsonObject) : [];
  const mapped = mappings.find(({ emersysProperty }) => String(emersysProperty) === field)?.['rudderProperty'];
  if (typeof mapped === 'string' && mapped !== '') return mapped;
  if (field === EMAIL_FIELD) return 'email';
  throw new AppError('invalid', 'fieldMapping must name the property for emersysCustomIdentifier');
}

/** RFC-like header of https://dev.emarsys.com, Authentication: the digest is the Base64 of a SHA-1 in hexadecimal digits. */
function wsse(user: string, secret: string, now: Date): string {
  const nonce = randomBytes(16).toString('hex');
  const created = now.toISOString();
  const digest = createHash('sha1').update(`${nonce}${created}${secret}`).digest('hex');
  const token = Buffer.from(digest).toString('base64');
  return `UsernameToken Username="${user}", PasswordDigest="${token}", Nonce="${nonce}", Created="${created}"`;
}

/** A 200 lists the contacts that it could not delete; those that it did not know are no failure. */
function isRefusal(body: string): boolean {
  const answer = parsedJson(body);
  const data = isJsonObject(answer) ? answer['data'] : undefined;
  const errors = isJsonObject(data) && isJsonObject(data['errors']) ? Object.values(data['errors']) : [];
  return errors.some((error) => isJsonObject(error) && Object.keys(error).some((code) => code !== NOT_FOUND));
}

/** A 400 for a single contact whom it does not know; any other 400 is a real failure. */
function isNothingToDo(status: number, body: string): boolean {
  const answer = parsedJson(body);
  return status === 400 && isJsonObject(answer) && String(answer['replyCode']) === NOT_FOUND;
}
