import { describe, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { asItIs, bodyWith, expectSources, type SourcesRow } from '../../../test/sources.fixtures.js';
import { trait } from '../../toolkit/index.js';
import braze from './braze.js';

const CONFIG = { restApiKey: 'k', dataCenter: 'US-03' };
const groups = { enableSubscriptionGroupInGroupCall: true };
const user = { anonymousId: 'anon-1' };
const track = { type: 'track', event: 'Paid', ...user };
const identify = { type: 'identify', ...user };
const lower = (text: string) => text.toLowerCase();
const order = {
  ...{ type: 'track', event: 'Order Completed', userId: 'ada', timestamp: '2026-03-04T05:06:07Z' },
  properties: { products: [{ product_id: 'p', price: 1, quantity: 1, currency: 'USD' }] },
};
const unnamed = { ...order, properties: { products: [{ price: 1, quantity: 1, currency: 'USD' }] } };
const product = (...names: string[]) => names.map((name) => `properties.products.0.${name}`);
const PHONE_OF_GROUP = ['traits.phone'];
const subscribed = { type: 'group', traits: { subscriptionState: 'subscribed', phone: '+1' } };

describe('a field of Braze', () => {
  it.each<[config: JsonObject, event: JsonObject, ...SourcesRow]>([
    ...['country', 'city'].map((part): [JsonObject, JsonObject, ...SourcesRow] => [
      ...([{}, identify, `attributes.0.${part === 'city' ? 'home_city' : part}`] as const),
      trait(`address.${part}`),
      asItIs,
    ]),
    [{}, identify, 'attributes.0.first_name', trait('firstName'), asItIs],
    [{}, identify, 'attributes.0.last_name', trait('lastName'), asItIs],
    [{}, identify, 'attributes.0.image_url', trait('avatar'), asItIs],
    [{}, identify, 'attributes.0.dob', trait('birthday'), asItIs],
    [{}, identify, 'attributes.0.phone', trait('phone'), asItIs],
    [{}, identify, 'attributes.0.email', trait('email'), lower],
    [{}, track, 'events.0.time', ['timestamp'], asItIs],
    [{}, track, 'events.0.app_id', ['integrations.BRAZE.appId'], asItIs],
    [{}, track, 'events.0.external_id', ['userId'], asItIs],
    [{}, { type: 'track', event: 'e' }, 'events.0.user_alias.alias_name', ['anonymousId'], asItIs],
    [{}, { ...user, type: 'page' }, 'events.0.name', ['name', 'properties.name'], asItIs],
    [{}, { ...user, type: 'screen' }, 'events.0.name', ['name', 'properties.name'], asItIs],
    [{}, unnamed, 'purchases.0.product_id', product('product_id', 'sku'), asItIs],
    [{}, order, 'purchases.0.currency', ['properties.currency', ...product('currency')], asItIs],
    [{}, order, 'purchases.0.time', ['timestamp'], asItIs],
    [groups, subscribed, 'subscription_groups.0.subscription_group_id', ['groupId', 'traits.groupId'], asItIs],
    [groups, { ...subscribed, groupId: 'g' }, 'subscription_groups.0.phones.0', PHONE_OF_GROUP, asItIs],
    [groups, { ...subscribed, groupId: 'g' }, 'subscription_groups.0.external_ids.0', ['userId'], asItIs],
  ])('with %j, of %j, %s, is read from %j', (config, event, ...row) => {
    expectSources(bodyWith(braze, { ...CONFIG, ...config }, event), row);
  });
});
