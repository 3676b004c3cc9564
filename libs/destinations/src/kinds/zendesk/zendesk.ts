import { isJsonObject, type JsonObject } from '@weir/contracts';
import { defineKind } from '../../define-kind.js';
import * as kit from '../../toolkit/index.js';
import { zendeskDeliver } from './zendesk.deliver.js';
import { organizationOf, userOf, verified } from './zendesk.fields.js';
import { zendeskRequests } from './zendesk.requests.js';

/** https://developer.zendesk.com/api-reference/ticketing/users/events-api/events-api/ */
const PROTECTED_SOURCE = 'zendesk';

export default defineKind({
  name: 'ZENDESK',
  displayName: 'Zendesk',
  messageTypes: ['identify', 'track', 'group'],
  transformAtV1: 'router',
  config: {
    email: kit.required(kit.text('E-mail of the agent who owns the token')),
    apiToken: kit.required(kit.secret('API token')),
    domain: kit.asAddress(kit.required(kit.text('Subdomain of the account: `acme` of acme.zendesk.com'))),
    createUsersAsVerified: kit.flag('Users need not confirm their address'),
    sendGroupCallsWithoutUserId: kit.flag('Groups without a user make organizations too'),
    removeUsersFromOrganization: kit.flag('`traits.company: { id, remove: true }` ends a membership'),
    searchByExternalId: kit.flag('The e-mail of an identify becomes the primary one'),
    sourceName: kit.text('Source of events in the timeline of a user'),
  },
  example: { email: 'agent@example.com', domain: 'acme', sendGroupCallsWithoutUserId: true },
  requests: zendeskRequests,
  /** The parameters of a payload are not sent. They tell `zendesk.deliver.ts` which objects to look up by Zendesk's own ids. */
  transform(event, config) {
    const base = baseOf(config);
    const headers = kit.basicAuth(`${kit.requiredText(config, 'email')}/token`, kit.requiredText(config, 'apiToken'));
    const userId = kit.textAt(event, 'anonymousId');
    const call = (path: string, body: JsonObject, params: JsonObject = {}) => [
      kit.jsonRequest(`${base}/${path}`, body, { headers, params, userId }),
    ];
    const send: typeof call = (...given) =>
      kit.textAt(event, 'userId') ? call(...given) : kit.refuse('userId is required');
    return kit.byType(event, {
      identify: () => send('users/create_or_update.json', { user: userOf(event, config) }, leftBy(event, config)),
      track: () => send('user_profiles/events', eventOf(event, config), userOfEvent(event, config)),
      group: () =>
        call('organizations/create_or_update.json', { organization: organizationOf(event) }, memberOf(event, config)),
    });
  },
  deliver: zendeskDeliver,
});

function baseOf(config: JsonObject): string {
  const domain = kit.requiredText(config, 'domain');
  if (!/^[a-z0-9][a-z0-9-]*$/i.test(domain)) kit.refuse('domain must be the subdomain of the account, such as acme');
  return `https://${domain}.zendesk.com/api/v2`;
}

/** The organization that a user leaves, by Zendesk's id. */
function leftBy(event: JsonObject, config: JsonObject): JsonObject {
  const company = kit.givenTraits(event)?.['company'];
  const leaves = isJsonObject(company) && Boolean(company['remove']) && kit.isOn(config, 'removeUsersFromOrganization');
  return leaves ? kit.compact({ left_organization_id: company['id'] }) : {};
}

/** An event in the timeline of a user. A person has one profile for each name of an event. */
function eventOf(event: JsonObject, config: JsonObject): JsonObject {
  const email = emailOf(event);
  const name = kit.eventName(event);
  const source = kit.configText(config, 'sourceName') || kit.SENDER.eventSource;
  if (source.toLowerCase() === PROTECTED_SOURCE) kit.refuse('sourceName zendesk belongs to Zendesk itself');
  return {
    event: { description: name, type: name, source, properties: kit.objectAt(event, 'properties') },
    profile: { type: name, source, identifiers: [{ type: 'email', value: email }] },
  };
}

const emailOf = (event: JsonObject) =>
  kit.textAt(kit.givenTraits(event), 'email') ?? kit.refuse('traits.email is required');

/** Delivery makes this user, if nobody has the address and there is a name. */
const userOfEvent = (event: JsonObject, config: JsonObject): JsonObject =>
  kit.compact({
    name: kit.fullName(kit.givenTraits(event) ?? {}),
    external_id: kit.textAt(event, kit.USER_ID),
    email: emailOf(event),
    ...verified(config),
  });

/** The user of a group. The traits of a group belong to the organization. */
function memberOf(event: JsonObject, config: JsonObject): JsonObject {
  const userId = kit.textAt(event, 'userId');
  if (!userId && kit.isOn(config, 'sendGroupCallsWithoutUserId')) return {};
  if (!userId) kit.refuse('userId is required, unless sendGroupCallsWithoutUserId is on');
  const traits = kit.objectAt(event, 'context.traits');
  const email = kit.textAt(traits, ['email', 'primaryEmail']);
  return kit.compact({ external_id: userId, email, name: kit.fullName(traits), ...verified(config) });
}
