import type { JsonObject } from '@weir/contracts';
import type { Payload } from '../kind.js';
import * as kit from '../toolkit/index.js';
import { purchasesOf, recommendedEvent } from './braze.commerce.js';
import { RESERVED_IN_EVENTS } from './braze.fields.js';
import { brazeHost } from './braze.host.js';
import { aliasOf, attributesOf, externalIdOf, identityOf } from './braze.user.js';

/** One `/users/track` takes 75 of each type. Merges, aliases and subscription groups are limited to 50. */
export const brazeBatch = kit.batchLists(
  ['attributes', 'events', 'purchases', 'merge_updates', 'aliases_to_identify', 'subscription_groups'],
  { itemsMax: 50, bytesMax: 3_000_000 },
);

/** https://www.braze.com/docs/api/endpoints/user_data */
export function brazeTransform(event: JsonObject, config: JsonObject): Payload[] {
  const call = (path: string, body: JsonObject, userId = kit.textAt(event, 'anonymousId')): Payload =>
    kit.jsonRequest(`https://${brazeHost(kit.requiredText(config, 'dataCenter'))}/${path}`, body, {
      headers: { accept: 'application/json', ...kit.bearerAuth(kit.requiredText(config, 'restApiKey')) },
      userId,
    });
  const user = externalIdOf(event) ?? kit.textAt(event, 'anonymousId');
  return kit.byType(event, {
    identify: () => {
      const attributes = attributesOf(event, config);
      const known = identifyCall(event);
      if (!attributes && !known) kit.refuse('the event has no traits');
      const calls = [...(known ? [call('users/identify', known, user)] : [])];
      return attributes ? [...calls, call('users/track', { attributes: [attributes] }, user)] : calls;
    },
    track: () => [call('users/track', trackBody(event, config, kit.eventName(event)), user)],
    page: () => [call('users/track', trackBody(event, config, viewName(event, 'Page Viewed')), user)],
    screen: () => [call('users/track', trackBody(event, config, viewName(event, 'Screen Viewed')), user)],
    group: () => {
      const groupId = kit.textAt(event, 'groupId') ?? kit.refuse('groupId is required');
      if (!kit.isOn(config, 'enableSubscriptionGroupInGroupCall')) {
        const attributes = [{ [`${kit.SENDER.groupPrefix}${groupId}`]: true, ...identityOf(event) }];
        return [call('users/track', { attributes }, user)];
      }
      return [call('v2/subscription/status/set', { subscription_groups: [subscription(event, groupId)] }, '')];
    },
    alias: () => [call('users/merge', { merge_updates: [mergeUpdate(event)] }, user)],
  });
}

const viewName = (event: JsonObject, otherwise: string) => kit.textAt(event, ['name', 'properties.name']) ?? otherwise;

/** For a user who was anonymous before. Braze merges the alias profile into that of the external id. */
function identifyCall(event: JsonObject): JsonObject | undefined {
  const [external_id, user_alias] = [externalIdOf(event), aliasOf(event)];
  if (!external_id || !user_alias) return undefined;
  return { aliases_to_identify: [{ external_id, user_alias }], merge_behavior: 'merge' };
}

function trackBody(event: JsonObject, config: JsonObject, name: string): JsonObject {
  // Group traits do not belong to the user, and a track event has no traits.
  const attributes = attributesOf(event, config);
  const common = { partner: kit.SENDER.name, ...(attributes && { attributes: [attributes] }) };
  const time = kit.firstAt(event, kit.TIMESTAMP);
  const identity = identityOf(event);
  if (event['type'] === 'track' && kit.isOn(config, 'useEcommerceRecommendedEvents')) {
    const recommended = recommendedEvent(event, name);
    if (recommended) return { ...common, events: [kit.compact({ ...recommended, time, ...identity })] };
  }
  if (event['type'] === 'track' && name.trim().toLowerCase() === 'order completed') {
    return { ...common, purchases: purchasesOf(event, config, time, identity) };
  }
  const properties = kit.omit(kit.objectAt(event, 'properties'), RESERVED_IN_EVENTS);
  return { ...common, events: [kit.compact({ name, time, properties, ...identity })] };
}

function subscription(event: JsonObject, groupId: string): JsonObject {
  const traits = kit.objectAt(event, 'traits');
  const { subscriptionState: state, email, phone } = traits;
  if (state !== 'subscribed' && state !== 'unsubscribed') {
    kit.refuse('traits.subscriptionState must be subscribed or unsubscribed');
  }
  if (!email && !phone) kit.refuse('traits.email or traits.phone is required');
  const externalId = externalIdOf(event);
  return {
    subscription_group_id: groupId,
    subscription_state: state,
    ...(externalId && { external_ids: [externalId] }),
    ...kit.compact({ phones: phone ? [phone] : undefined, emails: email ? [email] : undefined }),
  };
}

function mergeUpdate(event: JsonObject): JsonObject {
  const [previous, kept] = [kit.textAt(event, 'previousId'), externalIdOf(event)];
  if (!previous || !kept) kit.refuse('userId and previousId are required');
  return { identifier_to_merge: { external_id: previous }, identifier_to_keep: { external_id: kept } };
}
