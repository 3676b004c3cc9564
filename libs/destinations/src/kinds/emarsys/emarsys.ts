import { createHash, randomBytes } from 'node:crypto';
import { AppError, isJsonObject, type JsonObject } from '@weir/contracts';
import { defineKind } from '../../define-kind.js';
import { type ApiCall, identifiersOf, required } from '../../deletion/api-call.js';
import { type ApiDeletion, deleteByCall } from '../../deletion/api-deletion.js';
import * as kit from '../../toolkit/index.js';

const ADDRESS = 'https://api.emarsys.net/api/v2/contact/delete';
/** Emarsys' number of the field for the email address. */
const EMAIL_FIELD = '3';
/** "No contact found", so there is nothing to delete. */
const NOT_FOUND = '2008';

const DELETION: ApiDeletion = { vendor: 'Emarsys', success: 'complete', isRefusal, isNothingToDo };

export default defineKind({
  name: 'EMARSYS',
  displayName: 'Emarsys',
  config: {
    emersysUsername: kit.secret('API user name'),
    emersysUserSecret: kit.secret('API user secret'),
    emersysCustomIdentifier: kit.text('Number of the field that identifies contacts. Default: 3, the email address'),
    fieldMapping: kit.field({
      type: 'array',
      maxItems: 1_000,
      items: {
        type: 'object',
        properties: { rudderProperty: { type: 'string' }, emersysProperty: { type: ['string', 'number'] } },
      },
      description: 'Properties and the numbers of the fields that hold them',
    }),
  },
  example: { fieldMapping: [] },
  /**
   * https://dev.emarsys.com, Delete contacts. The values go under the number of the identifying field. No contact list is named:
   * our documentation mentions none, and a list must not limit the deletion.
   */
  deletion: {
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
  },
});

function emarsysCall(config: JsonObject, users: JsonObject[], now = new Date()): ApiCall {
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

/** A 200 lists the contacts that could not be deleted. Unknown contacts among them are not failure. */
function isRefusal(body: string): boolean {
  const answer = kit.parsedJson(body);
  const data = isJsonObject(answer) ? answer['data'] : undefined;
  const errors = isJsonObject(data) && isJsonObject(data['errors']) ? Object.values(data['errors']) : [];
  return errors.some((error) => isJsonObject(error) && Object.keys(error).some((code) => code !== NOT_FOUND));
}

/** 400 for a single unknown contact. Any other 400 is a real failure. */
function isNothingToDo(status: number, body: string): boolean {
  const answer = kit.parsedJson(body);
  return status === 400 && isJsonObject(answer) && String(answer['replyCode']) === NOT_FOUND;
}
