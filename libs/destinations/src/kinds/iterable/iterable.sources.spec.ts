import { describe, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { asItIs, bodyWith, expectSources, type SourcesRow } from '../../../test/sources.fixtures.js';
import { property, trait, USER_ID } from '../../toolkit/index.js';
import iterable from './iterable.js';

const CONFIG = { apiKey: 'k', trackAllPages: true, registerDeviceOrBrowserApiKey: 'r' };
const identify = { type: 'identify', anonymousId: 'anon-1' };
const track = { type: 'track', event: 'Paid', anonymousId: 'anon-1' };
const product = { product_id: 'p', name: 'n', price: 1, quantity: 1 };
const order = { ...track, event: 'Order Completed', properties: { total: 1, products: [product] } };
const device = { ...identify, context: { device: { token: 't' } } };
const ofItem = (name: string) => [`properties.products.0.${name}`];

describe('a field of Iterable', () => {
  it.each<[event: JsonObject, ...SourcesRow]>([
    [{ type: 'identify' }, 'userId', USER_ID, asItIs],
    [identify, 'email', trait('email'), asItIs],
    [{ type: 'track', event: 'e' }, 'userId', USER_ID, asItIs],
    [track, 'email', ['properties.email', 'context.traits.email'], asItIs],
    [track, 'id', ['properties.event_id'], asItIs],
    [track, 'eventName', ['event'], asItIs],
    [{ ...track, type: 'page' }, 'email', ['properties.email', 'context.traits.email'], asItIs],
    [{ ...track, type: 'page' }, 'eventName', ['name', 'properties.name'], (name) => `${name} page`],
    [{ ...track, type: 'screen' }, 'eventName', ['name', 'properties.name'], (name) => `${name} screen`],
    [order, 'id', property('order_id', 'orderId', 'event_id'), asItIs],
    [order, 'user.email', trait('email'), asItIs],
    [{ ...order, anonymousId: '' }, 'user.userId', USER_ID, asItIs],
    [order, 'items.0.id', ofItem('product_id'), asItIs],
    [order, 'items.0.sku', ofItem('sku'), asItIs],
    [order, 'items.0.name', ofItem('name'), asItIs],
    [order, 'items.0.description', ofItem('description'), asItIs],
    [order, 'items.0.imageUrl', ofItem('image_url'), asItIs],
    [order, 'items.0.url', ofItem('url'), asItIs],
    [{ type: 'alias', userId: 'u' }, 'currentEmail', ['previousId'], asItIs],
    [{ type: 'alias', previousId: 'p' }, 'newEmail', ['userId'], asItIs],
  ])('of %j, %s, is read from %j', (event, ...row) => {
    expectSources(bodyWith(iterable, CONFIG, event), row);
  });

  it.each<[event: JsonObject, ...SourcesRow]>([
    [device, 'device.token', ['context.device.token'], asItIs],
    [device, 'device.applicationName', ['context.device.name'], asItIs],
    [device, 'email', trait('email'), asItIs],
    [identify, 'browserToken', ['context.os.token'], asItIs],
  ])('of a registration with %j, %s, is read from %j', (event, ...row) => {
    expectSources(bodyWith(iterable, CONFIG, event, 1), row);
  });
});
