import { isJsonObject, type JsonObject } from '@weir/contracts';
import { defineKind } from '../../define-kind.js';
import * as kit from '../../toolkit/index.js';
import { brazeBatch } from './braze.batch.js';
import { purchasesOf } from './braze.commerce.js';
import { brazeDeletion, brazeHost } from './braze.deletion.js';
import { recommendedEvent } from './braze.recommended.js';
import { brazeRequests } from './braze.requests.js';
import { aliasOf, attributesOf, externalIdOf, identityOf, userIdOf } from './braze.user.js';

export default defineKind({
  name: 'BRAZE',
  displayName: 'Braze',
  messageTypes: ['identify', 'track', 'page', 'screen', 'group', 'alias'],
  transformAtV1: 'router',
  config: {
    restApiKey: kit.required(
      kit.secret(
        'REST API key with users.track, users.identify, users.merge, subscription.status.set and users.delete',
      ),
    ),
    dataCenter: kit.asAddress(kit.required(kit.text('Instance, such as US-03 or EU-01'))),
    enableSubscriptionGroupInGroupCall: kit.flag('Send group events as the state of a subscription group'),
    enableNestedArrayOperations: kit.flag('Read add, update and remove in traits as operations on lists of objects'),
    sendPurchaseEventWithExtraProperties: kit.flag('Send the other properties of products with purchases'),
    useEcommerceRecommendedEvents: kit.flag(
      "Send e-commerce events as Braze's recommended events, in place of purchases",
    ),
  },
  example: { dataCenter: 'US-03' },
  requests: brazeRequests,
  /** https://www.braze.com/docs/api/endpoints/user_data */
  transform(event, config) {
    const call = (path: string, body: JsonObject, userId = userIdOf(event) ?? kit.textAt(event, 'anonymousId')) =>
      kit.jsonRequest(`https://${brazeHost(kit.requiredText(config, 'dataCenter'))}/${path}`, body, {
        headers: { accept: 'application/json', ...kit.bearerAuth(kit.requiredText(config, 'restApiKey')) },
        userId,
      });
    const track = (name: string) => [call('users/track', trackBody(event, config, name))];
    return kit.byType(event, {
      identify: () => {
        const attributes = attributesOf(event, config);
        const known = identifyCall(event);
        if (!attributes && !known) kit.refuse('the event has no traits');
        const calls = known ? [call('users/identify', known)] : [];
        return attributes ? [...calls, call('users/track', { attributes: [attributes] })] : calls;
      },
      track: () => track(kit.eventName(event)),
      page: () => track(viewName(event, 'Page Viewed')),
      screen: () => track(viewName(event, 'Screen Viewed')),
      group: () => {
        const groupId = kit.textAt(event, kit.GROUP_ID) ?? kit.refuse('groupId is required');
        if (!kit.isOn(config, 'enableSubscriptionGroupInGroupCall')) {
          const attributes = [{ [`${kit.SENDER.groupPrefix}${groupId}`]: true, ...identityOf(event) }];
          return [call('users/track', { attributes, partner: kit.SENDER.name })];
        }
        return [call('v2/subscription/status/set', { subscription_groups: [subscription(event, groupId)] }, '')];
      },
      alias: () => [call('users/merge', { merge_updates: [mergeUpdate(event)] })],
    });
  },
  batch: brazeBatch,
  deletion: brazeDeletion,
});

const viewName = (event: JsonObject, otherwise: string) => kit.textAt(event, ['name', 'properties.name']) ?? otherwise;

/** For a user who was anonymous before. Braze merges the alias profile into that of the external id. */
function identifyCall(event: JsonObject): JsonObject | undefined {
  const [external_id, user_alias] = [externalIdOf(event), aliasOf(event)];
  if (!external_id || !user_alias) return undefined;
  return { aliases_to_identify: [{ external_id, user_alias }], merge_behavior: 'merge' };
}

/** Names that Braze reserves in events. */
const RESERVED_IN_EVENTS = ['time', 'event_name'];

function trackBody(event: JsonObject, config: JsonObject, name: string): JsonObject {
  const attributes = attributesOf(event, config);
  const common = { partner: kit.SENDER.name, ...(attributes && { attributes: [attributes] }) };
  const identity = identityOf(event);
  const isTrack = kit.toLowerCase(event['type']) === 'track';
  const isRecommended = isTrack && kit.isOn(config, 'useEcommerceRecommendedEvents');
  if (isTrack && !isRecommended && name.toLowerCase() === 'order completed') {
    return { ...common, purchases: purchasesOf(event, config, identity) };
  }
  const sent = (isRecommended && recommendedEvent(event, name)) || { name, properties: ownProperties(event) };
  const appId = kit.toText(kit.integrationOptions(event, 'braze')['appId'] || undefined);
  return {
    ...common,
    events: [kit.compact({ ...sent, time: event['timestamp'], app_id: appId, ...identity })],
  };
}

function ownProperties(event: JsonObject): JsonObject {
  const { properties = {} } = event;
  if (properties !== null && !isJsonObject(properties)) kit.refuse('properties must be an object');
  return kit.omit(properties ?? {}, RESERVED_IN_EVENTS);
}

/** Braze takes phones or e-mails in one entry, not both. The phone wins. */
function subscription(event: JsonObject, groupId: string): JsonObject {
  const { subscriptionState: state, email, phone } = kit.objectAt(event, 'traits');
  if (!email && !phone) kit.refuse('traits.email or traits.phone is required');
  if (state !== 'subscribed' && state !== 'unsubscribed') {
    kit.refuse('traits.subscriptionState must be subscribed or unsubscribed');
  }
  const userId = kit.textAt(event, 'userId');
  const knownPhone = kit.firstAt(event, kit.PHONE);
  return {
    subscription_group_id: groupId,
    subscription_state: state,
    ...(userId && { external_ids: [userId] }),
    ...(knownPhone ? { phones: [knownPhone] } : { emails: [kit.firstAt(event, kit.LINKED_EMAIL)] }),
  };
}

function mergeUpdate(event: JsonObject): JsonObject {
  const kept = kit.textAt(event, 'userId') ?? kit.refuse('userId is required');
  const previous = kit.textAt(event, 'previousId') ?? kit.refuse('previousId is required');
  return { identifier_to_merge: { external_id: previous }, identifier_to_keep: { external_id: kept } };
}
