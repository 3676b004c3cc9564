import type { JsonObject } from '@weir/contracts';
import { defineKind } from '../../define-kind.js';
import type { Payload } from '../../kind.js';
import * as kit from '../../toolkit/index.js';
import { klaviyoDeletion } from './klaviyo.deletion.js';
import { eventOf } from './klaviyo.events.js';
import { profileOf } from './klaviyo.profile.js';
import { klaviyoRequests } from './klaviyo.requests.js';
import { type Call, groupSubscription, identifySubscription, isCurrent, klaviyoBatch } from './klaviyo.subscription.js';
import { checkAddress, oldEventOf } from './klaviyo.v1.js';

const API = 'https://a.klaviyo.com/api';
const REVISIONS: Readonly<Record<string, string>> = { v1: '2023-02-22', v2: '2024-10-15', v3: '2026-04-15' };

export default defineKind({
  name: 'KLAVIYO',
  displayName: 'Klaviyo',
  messageTypes: ['identify', 'track', 'screen', 'group'],
  transformAtV1: 'router',
  config: {
    apiVersion: kit.choice(['v1', 'v2', 'v3'], 'Revision of the API: v3 for new destinations. Default: v1, the oldest'),
    publicApiKey: kit.text('Read by the SDKs'),
    privateApiKey: kit.required(
      kit.secret(
        'Private API key with profiles, events, lists and subscriptions. Deletion needs profiles:read and data-privacy:write',
      ),
    ),
    listId: kit.text('List to which an identify with `subscribe` subscribes'),
    consent: kit.anything('Channels of a subscription: email, sms'),
    flattenProperties: kit.flag('Send nested properties under dotted names'),
    enforceEmailAsPrimary: kit.flag('Know people by e-mail and phone, not by the user id'),
  },
  example: { apiVersion: 'v3', listId: 'list-1', consent: ['email', 'sms'], publicApiKey: 'public-1' },
  requests: klaviyoRequests,
  /** Profiles, events and subscriptions: https://developers.klaviyo.com/en/reference/api_overview */
  transform(event, config) {
    const call = ([path, body]: Call, version = kit.configText(config, 'apiVersion')): Payload =>
      kit.jsonRequest(`${API}/${path}`, body, {
        headers: {
          authorization: `Klaviyo-API-Key ${kit.requiredText(config, 'privateApiKey')}`,
          accept: 'application/json',
          revision: kit.lookedUp(REVISIONS, version || 'v1') ?? kit.refuse('apiVersion must be v1, v2 or v3'),
        },
      });
    const sent = () => {
      const attributes = isCurrent(config) ? eventOf(event, config) : oldEventOf(event, config);
      return [call(['events', { data: { type: 'event', attributes } }])];
    };
    return kit.byType(event, {
      identify: () => identifyCalls(withIdentifier(event), config).map(([body, version]) => call(body, version)),
      track: sent,
      screen: sent,
      group: () => [call(groupSubscription(event, config))],
    });
  },
  batch: klaviyoBatch,
  deletion: klaviyoDeletion,
});

/** The oldest revision has no call that creates or updates profiles, so they use the next one. */
function identifyCalls(event: JsonObject, config: JsonObject): [call: Call, version?: string][] {
  if (!isCurrent(config)) checkAddress(event, config);
  const profile: Call = ['profile-import', { data: profileOf(event, config) }];
  return [
    isCurrent(config) ? [profile] : [profile, 'v2'],
    ...identifySubscription(event, config).map((job): [Call] => [job]),
  ];
}

/** A mapped person has the identifier as id too, and is subscribed unless the traits say otherwise. */
function withIdentifier(event: JsonObject): JsonObject {
  if (!kit.valueAt(event, 'context.mappedToDestination')) return event;
  const mapped = kit.withMappedIdentifier(event);
  const id = kit.valueAt(event, 'context.externalId.0.id');
  const traits = kit.givenTraits(mapped) ?? {};
  const properties = { subscribe: true, ...kit.compact(kit.objectAt(traits, 'properties')) };
  const known = { ...mapped, ...(kit.isGiven(id) && { userId: id }) };
  if (event['traits']) return { ...known, traits: { ...traits, properties } };
  return { ...known, context: { ...kit.objectAt(mapped, 'context'), traits: { ...traits, properties } } };
}
