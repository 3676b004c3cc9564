import type { JsonObject } from '@weir/contracts';
import { defineKind } from '../../define-kind.js';
import type { Payload } from '../../kind.js';
import * as kit from '../../toolkit/index.js';
import { checkedAddress, mergeFieldsOf } from './mailchimp.merge-fields.js';

/** https://mailchimp.com/developer/marketing/api/list-members/ */
const STATUSES = ['subscribed', 'unsubscribed', 'cleaned', 'pending', 'transactional'];
/** Characters of an event name. https://mailchimp.com/developer/marketing/api/list-member-events/ */
const NAME_LENGTH = { min: 2, max: 30 };

export default defineKind({
  name: 'MAILCHIMP',
  displayName: 'Mailchimp',
  messageTypes: ['identify', 'track'],
  transformAtV1: 'router',
  config: {
    apiKey: kit.secret('API key'),
    audienceId: kit.text('Audience (list) ID, for events that name none'),
    datacenterId: kit.asAddress(kit.text('Data center: what follows the dash of the API key, such as us6')),
    enableMergeFields: kit.flag('Traits become merge fields'),
  },
  example: { audienceId: 'aud-1', datacenterId: 'us6', enableMergeFields: true },
  requests: {
    'PUT /3.0/lists/{list}/members/{hash}': { type: 'object' },
    'POST /3.0/lists/{list}/members/{hash}/events': {
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string', maxLength: NAME_LENGTH.max }, is_syncing: { type: 'boolean' } },
    },
  },
  transform(event, config) {
    const authorization = kit.basicAuth('apiKey', kit.requiredText(config, 'apiKey'));
    return kit.byType(event, {
      identify: () => [member(kit.withMappedIdentifier(event), config, authorization)],
      track: () => [memberEvent(event, config, authorization)],
    });
  },
});

/**
 * Adds or updates a member. An existing member keeps the status unless the options of the event set it, so that nobody is
 * subscribed again.
 */
function member(event: JsonObject, config: JsonObject, headers: Record<string, string>): Payload {
  const email = emailOf(event);
  const isMapped = Boolean(kit.valueAt(event, 'context.mappedToDestination'));
  const body = isMapped ? mappedMember(event) : ownMember(event, config, email);
  return kit.jsonRequest(addressOf(event, config, email), body, { method: 'PUT', headers });
}

/** A reverse ETL source names the fields as Mailchimp does. */
function mappedMember(event: JsonObject): JsonObject {
  const body = kit.compact(kit.givenTraits(event) ?? {});
  checkStatus(body['status']);
  checkedAddress(kit.objectAt(body, 'merge_fields.ADDRESS'));
  return body;
}

function ownMember(event: JsonObject, config: JsonObject, email: string): JsonObject {
  const { subscriptionStatus: status } = optionsOf(event);
  checkStatus(status);
  const mergeFields = mergeFieldsOf(event);
  const isMerged = kit.isOn(config, 'enableMergeFields');
  if (isMerged && !kit.givenTraits(event)) kit.refuse('merge fields need traits');
  return {
    email_address: email,
    ...(kit.isGiven(status) ? { status } : { status_if_new: 'subscribed' }),
    ...(isMerged && { merge_fields: mergeFields }),
  };
}

function checkStatus(status: unknown): void {
  if (kit.isGiven(status) && !STATUSES.includes(String(status))) {
    kit.refuse(`the status must be one of ${STATUSES.join(', ')}`);
  }
}

function memberEvent(event: JsonObject, config: JsonObject, headers: Record<string, string>): Payload {
  const name = kit.eventName(event);
  if (name.length < NAME_LENGTH.min || name.length > NAME_LENGTH.max) {
    kit.refuse(`the event's name must have ${NAME_LENGTH.min} to ${NAME_LENGTH.max} characters`);
  }
  const given = kit.objectAt(event, 'properties');
  const properties = event['properties'] ? texts(kit.omit(given, ['isSyncing'])) : undefined;
  const body = kit.compact({
    name: name.trim().replace(/\s+/g, '_'),
    properties,
    occurred_at: kit.toIsoSeconds(kit.firstAt(event, kit.TIMESTAMP))?.replace('Z', '+00:00'),
    is_syncing: kit.toBoolean(given['isSyncing']),
  });
  return kit.jsonRequest(`${addressOf(event, config, emailOf(event))}/events`, body, { headers });
}

/** Mailchimp takes only texts. */
const texts = (properties: JsonObject) =>
  kit.objectOf(Object.entries(properties).map(([key, value]) => [key, kit.toText(value) ?? 'null']));

const optionsOf = (event: JsonObject) => kit.integrationOptions(event, 'mailchimp');

const emailOf = (event: JsonObject) => kit.textAt(event, kit.LINKED_EMAIL) ?? kit.refuse('traits.email is required');

/** An event may name another audience. A member's address contains the MD5 of the e-mail in lower case. */
function addressOf(event: JsonObject, config: JsonObject, email: string): string {
  const configured = kit.requiredText(config, 'audienceId');
  const datacenter = kit.requiredText(config, 'datacenterId');
  if (!/^[a-z0-9]+$/i.test(datacenter)) kit.refuse('datacenterId must be a word such as us6');
  const named = kit.textAt(optionsOf(event), 'listId') ?? kit.textAt(event, 'context.MailChimp.listId');
  const audience = kit.pathSegment(named ?? configured);
  return `https://${datacenter}.api.mailchimp.com/3.0/lists/${audience}/members/${kit.md5(email.toLowerCase())}`;
}
