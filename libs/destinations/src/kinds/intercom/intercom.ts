import { isJsonObject, type JsonObject } from '@weir/contracts';
import { defineKind } from '../../define-kind.js';
import type { Payload } from '../../kind.js';
import * as kit from '../../toolkit/index.js';
import { intercomDeletion } from './intercom.deletion.js';
import { intercomDeliver } from './intercom.deliver.js';
import {
  API_VERSION,
  CONTACT,
  companyOf,
  customOf,
  emailOf,
  eventOf,
  identityOf,
  lookupOf,
  mappedTraits,
  originOf,
  tagsOf,
  userIdOf,
} from './intercom.fields.js';
import { intercomRequests } from './intercom.requests.js';
import { usersTransform } from './intercom.v1.js';

export default defineKind({
  name: 'INTERCOM',
  displayName: 'Intercom',
  messageTypes: ['identify', 'track', 'group'],
  transformAtV1: 'router',
  config: {
    apiKey: kit.required(kit.secret('Access token')),
    appId: kit.text('App ID, for the web SDK'),
    apiServer: kit.asAddress(
      kit.words(
        ['standard', 'eu', 'au'],
        'Region of the workspace: `eu` or `au`, anything else means the United States',
      ),
    ),
    apiVersion: kit.words(['v1', 'v2'], '`v1` knows users, anything else means `v2` with contacts'),
    sendAnonymousId: kit.flag('Who has no user id is known by the anonymous id'),
    updateLastRequestAt: kit.flag('With `v1`, an identify is a request of the user; off only when false'),
  },
  example: { apiVersion: 'v2', apiServer: 'standard' },
  requests: intercomRequests,
  transform: (event, config) =>
    config['apiVersion'] === 'v1' ? usersTransform(event, config) : contactsTransform(event, config),
  deliver: intercomDeliver,
  deletion: intercomDeletion,
});

/**
 * API 2, https://developers.intercom.com/docs/references/rest-api. Contacts and companies have Intercom's own ids there. The
 * parameters of a payload name a contact by our identifiers. `intercom.deliver.ts` looks up the contact and sends none of the
 * parameters.
 */
function contactsTransform(event: JsonObject, config: JsonObject): Payload[] {
  const headers = {
    ...kit.bearerAuth(kit.requiredText(config, 'apiKey')),
    ...{ 'content-type': 'application/json', accept: 'application/json' },
    ...{ 'intercom-version': API_VERSION, 'user-agent': kit.SENDER.name },
  };
  const userId = kit.textAt(event, 'anonymousId');
  const call = (method: string, path: string, body: JsonObject, params: JsonObject = {}) =>
    kit.restPayload({ method, endpoint: `${originOf(config)}/${path}`, headers, params, body: { JSON: body }, userId });
  return kit.byType(event, {
    identify: () => {
      const contact = mappedContact(event) ?? contactOf(event, config);
      return [call('POST', 'contacts', contact, { ...searchFor(event, contact), ...companyLeft(event) })];
    },
    track: () => [call('POST', 'events', eventOf(event, config, 'created_at'))],
    group: () => {
      const company_id = kit.textAt(event, 'groupId') ?? kit.refuse('groupId is required');
      const custom = customOf('contactCompany', event, kit.objectAt(event, 'traits'), '_');
      const member = searchFor(event, kit.compact({ external_id: memberId(event, config) }));
      return [call('POST', 'companies', companyOf(event, company_id, custom), { ...member, ...tagsOf(event) })];
    },
  });
}

function contactOf(event: JsonObject, config: JsonObject): JsonObject {
  const own = kit.objectAt(event, 'context.traits');
  const [given, inContext] = kit.trait('unsubscribedFromEmails').map((path) => kit.toBoolean(kit.valueAt(event, path)));
  return {
    ...identityOf('external_id', event, config),
    ...kit.mapFields(event, CONTACT),
    ...kit.compact({ unsubscribed_from_emails: given || inContext, name: kit.fullNameOf(event) }),
    ...kit.withoutEmpty({ custom_attributes: customOf('contact', event, own, '_') }),
  };
}

/** The traits of a reverse sync. The id counts only without an e-mail, as in the API's own search. */
function mappedContact(event: JsonObject): JsonObject | undefined {
  const traits = mappedTraits(event);
  if (!traits) return undefined;
  const external_id = kit.isGiven(traits['email']) ? undefined : kit.textAt(traits, 'user_id');
  const custom_attributes = customOf('contact', event, kit.objectAt(traits, 'custom_attributes'), '_');
  return kit.merged(
    kit.omit(traits, ['custom_attributes']),
    kit.compact({ external_id, name: kit.fullName(traits) }),
    kit.withoutEmpty({ custom_attributes }),
  );
}

/** The attribute that the event names under `integrations.Intercom.lookup`, otherwise the e-mail, and the user id. */
function searchFor(event: JsonObject, { external_id }: JsonObject): JsonObject {
  const wanted = lookupOf(event);
  const known = kit.withoutEmpty({ external_id });
  if (wanted === 'external_id')
    return { ...known, ...kit.mapFields(event, { external_id: 'context.traits.external_id' }) };
  if (wanted === 'userId' || wanted === 'user_id') return known;
  if (wanted === 'email') return kit.compact({ email: emailOf(event)?.toLowerCase(), ...known });
  const paths = wanted === 'phone' ? kit.PHONE : `context.traits.${wanted}`;
  return kit.compact({ [wanted]: kit.textAt(event, paths), ...known });
}

/** `company: { id, name, remove: true }`, which the contact leaves. */
function companyLeft(event: JsonObject): JsonObject {
  const company = kit.firstAt(event, kit.trait('company'));
  if (!isJsonObject(company) || !company['remove']) return {};
  const [id, name] = [kit.textAt(company, 'id'), kit.textAt(company, 'name')];
  return id ? { left_company_id: id } : kit.compact({ left_company_name: name });
}

/** The traits of a group are those of the company. */
const memberId = (event: JsonObject, config: JsonObject) => userIdOf(kit.omit(event, ['traits']), config);
