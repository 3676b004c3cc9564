import { isJsonObject, type JsonObject } from '@weir/contracts';
import type { Payload } from '../kind.js';
import * as kit from '../toolkit/index.js';
import { MEMBER_ID, organizationOf, userOf } from './zendesk.fields.js';

/** The profile type within the source: https://developer.zendesk.com/documentation/ticketing/profiles/ */
const PROFILE_TYPE = 'customer';

/** The parameters of a payload are not sent. They tell `zendesk.deliver.ts` which objects to look up by Zendesk's own ids. */
export function zendeskTransform(event: JsonObject, config: JsonObject): Payload[] {
  const base = baseOf(config);
  const headers = kit.basicAuth(`${kit.requiredText(config, 'email')}/token`, kit.requiredText(config, 'apiToken'));
  const userId = kit.textAt(event, 'anonymousId');
  const call = (path: string, body: JsonObject, params: JsonObject = {}) => [
    kit.jsonRequest(`${base}/${path}`, body, { headers, params, userId }),
  ];
  return kit.byType(event, {
    identify: () => call('users/create_or_update.json', { user: userOf(event, config) }, leftBy(event, config)),
    track: () => call('user_profiles/events', eventOf(event, config)),
    group: () =>
      call(
        'organizations/create_or_update.json',
        { organization: organizationOf(event) },
        { ...memberOf(event, config) },
      ),
  });
}

function baseOf(config: JsonObject): string {
  const domain = kit.requiredText(config, 'domain');
  if (!/^[a-z0-9][a-z0-9-]*$/i.test(domain)) kit.refuse('domain must be the subdomain of the account, such as acme');
  return `https://${domain}.zendesk.com/api/v2`;
}

/** The organization that a user leaves, by Zendesk's id. */
function leftBy(event: JsonObject, config: JsonObject): JsonObject {
  const { company } = kit.mergedTraits(event);
  const leaves = isJsonObject(company) && company['remove'] === true && kit.isOn(config, 'removeUsersFromOrganization');
  return leaves ? kit.compact({ left_organization_id: company['id'] }) : {};
}

/**
 * An event of a user whom Zendesk finds or creates by e-mail:
 * https://developer.zendesk.com/api-reference/ticketing/users/events-api/events-api/
 */
function eventOf(event: JsonObject, config: JsonObject): JsonObject {
  const email = kit.textAt(event, kit.EMAIL) ?? kit.refuse('traits.email is required');
  const name = kit.eventName(event);
  const source = kit.configText(config, 'sourceName') || kit.SENDER.eventSource;
  const identifiers = [{ type: 'email', value: email }];
  return {
    event: {
      ...{ description: name, type: name, source, properties: kit.objectAt(event, 'properties') },
      ...kit.compact({ created_at: kit.toIso(kit.firstAt(event, kit.TIMESTAMP)) }),
    },
    profile: {
      ...{ type: PROFILE_TYPE, source, identifiers },
      ...kit.compact({ name: kit.fullName(kit.mergedTraits(event)) }),
    },
  };
}

/** The user of a group. The traits of a group belong to the organization. */
function memberOf(event: JsonObject, config: JsonObject): JsonObject {
  const external_id = kit.textAt(event, MEMBER_ID);
  if (!external_id && kit.isOn(config, 'sendGroupCallsWithoutUserId')) return {};
  if (!external_id) kit.refuse('userId is required, unless sendGroupCallsWithoutUserId is on');
  const traits = kit.objectAt(event, 'context.traits');
  return kit.compact({ external_id, email: kit.textAt(traits, 'email'), name: kit.fullName(traits) });
}
