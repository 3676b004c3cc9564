import { isJsonObject, type JsonObject } from '@weir/contracts';
import type { Payload } from '../kind.js';
import { restPayload } from '../payload.js';
import * as kit from '../toolkit/index.js';
import { API_VERSION, originOf } from './intercom.api.js';
import { eventOf } from './intercom.event.js';
import { COMPANY, CONTACT, companyCustomOf, customOf, mappedId, userIdOf } from './intercom.fields.js';
import { usersTransform } from './intercom.v1.js';

export const intercomTransform = (event: JsonObject, config: JsonObject): Payload[] =>
  config['apiVersion'] === 'v2' ? contactsTransform(event, config) : usersTransform(event, config);

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
    restPayload({ method, endpoint: `${originOf(config)}/${path}`, headers, params, body: { JSON: body }, userId });
  return kit.byType(event, {
    identify: () => {
      const contact = contactOf(event, config);
      const params = lookup(event, contact);
      const left = companyLeft(event);
      return [
        call('POST', 'contacts', contact, params),
        ...(left ? [call('DELETE', 'contacts/companies', {}, { ...params, company_id: left })] : []),
      ];
    },
    track: () => [call('POST', 'events', eventOf(event, config, 'created_at'))],
    group: () => [call('POST', 'companies', companyOf(event), memberOf(event, config))],
  });
}

function contactOf(event: JsonObject, config: JsonObject): JsonObject {
  const traits = kit.mergedTraits(event);
  const mapped = mappedId(event);
  if (mapped) return kit.merged(traits, { [mapped[0] === 'user_id' ? 'external_id' : mapped[0]]: mapped[1] });
  const name = kit.fullName(traits);
  return {
    ...kit.compact({ external_id: userIdOf(event, config), name }),
    ...kit.mapFields(event, CONTACT),
    ...kit.withoutEmpty({ custom_attributes: customOf(traits, CONTACT) }),
  };
}

/** The attribute that the event names under `integrations.Intercom.lookup`, otherwise e-mail and user id. */
function lookup(event: JsonObject, contact: JsonObject): JsonObject {
  const wanted = kit.textAt(kit.integrationOptions(event, 'intercom'), 'lookup');
  const field = wanted === 'userId' || wanted === 'user_id' ? 'external_id' : wanted;
  const value = field && kit.textAt(contact, field);
  if (value) return { [field]: value };
  const { email, external_id } = contact;
  const known = kit.withoutEmpty({ email, external_id });
  return kit.isEmpty(known) ? kit.refuse('userId or traits.email is required') : known;
}

/** `traits.company: { id, remove: true }`. */
function companyLeft(event: JsonObject): string | undefined {
  const { company } = kit.mergedTraits(event);
  return isJsonObject(company) && company['remove'] === true ? kit.textAt(company, 'id') : undefined;
}

function companyOf(event: JsonObject): JsonObject {
  const company_id = kit.textAt(event, 'groupId') ?? kit.refuse('groupId is required');
  const traits = kit.objectAt(event, 'traits');
  const custom_attributes = kit.flatten(kit.omit(companyCustomOf(traits), ['email']));
  return { company_id, ...kit.mapFields(traits, COMPANY), ...kit.withoutEmpty({ custom_attributes }) };
}

/** The contact that belongs to the company of a group. Empty if none is named. */
const memberOf = (event: JsonObject, config: JsonObject): JsonObject =>
  kit.compact({
    email: kit.textAt(event, ['context.traits.email', 'traits.email']),
    external_id: userIdOf(kit.omit(event, ['traits']), config),
  });
