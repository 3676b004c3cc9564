import { expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada } from '../../../test/events.fixtures.js';
import { asItIs, expectSources, type SourcesRow, withValues } from '../../../test/sources.fixtures.js';
import { arrayOf, EMAIL, FIRST_NAME, LAST_NAME, trait, USER_ID, valueAt } from '../../toolkit/index.js';
import ometria from './ometria.js';

const track = { type: 'track', event: 'Opened', timestamp: ada.timestamp, messageId: 'm-1' };
const order = { ...track, event: 'pending', properties: { order_id: 'o', grand_total: 1, currency: 'EUR' } };
/** The record of an event, with a user and an address unless the values give others. */
const recordOf = (event: JsonObject) => (values: JsonObject) => {
  const names = (paths: readonly string[]) => paths.some((path) => path in values);
  const known = names(USER_ID) ? event : { ...event, userId: 'ada' };
  const address = event['type'] === 'identify' ? 'context.traits.email' : 'properties.email';
  const whole = withValues(known, { ...(!names(EMAIL) && { [address]: 'a@b.cd' }), ...values });
  return ometria.transform(whole, { apiKey: 'k' }).flatMap(arrayOf)[0] as JsonObject;
};

const ofContact: SourcesRow[] = [
  ['email', trait('email'), asItIs],
  ['customer_id', USER_ID, asItIs],
  ['firstname', FIRST_NAME, asItIs],
  ['middlename', trait('middleName', 'middle_name', 'middlename'), asItIs],
  ['lastname', LAST_NAME, asItIs],
  ['@collection', trait('collection'), asItIs],
  ['prefix', trait('prefix'), asItIs],
  ['date_of_birth', trait('dateOfBirth'), asItIs],
  ['country_id', trait('countryId'), asItIs],
  ['timezone', trait('timezone'), asItIs],
  ['gender', trait('gender'), asItIs],
];
it.each(ofContact)('a contact has %s from %j', (...row) => {
  expectSources(recordOf({ type: 'identify', integrations: { OMETRIA: { listingId: 'l' } } }), row);
});

it.each<[string, string, unknown]>([
  ['timestampAcquired', 'timestamp_acquired', '2026-01-01T00:00:00Z'],
  ['timestampSubscribed', 'timestamp_subscribed', '2026-01-02'],
  ['timestampUnsubscribed', 'timestamp_unsubscribed', '2026-01-03'],
  ['phoneNumber', 'phone_number', '+12025550123'],
  ['storeIds', 'store_ids', ['s']],
  ['addToLists', '@add_to_lists', [1]],
  ['removeFromLists', '@remove_from_lists', [2]],
  ['forceOptin', '@force_optin', true],
  ['merge', '@merge', false],
])('a contact has the trait %s as %s', (name, key, value) => {
  const record = recordOf({ type: 'identify', traits: { listingId: 'l' } })({ [`traits.${name}`]: value });
  expect([record[key], record['properties']]).toEqual([value, undefined]);
});

it.each<[JsonObject, SourcesRow]>([
  [track, ['identity_email', EMAIL, asItIs]],
  [track, ['identity_account_id', USER_ID, asItIs]],
  [track, ['id', ['properties.event_id', 'messageId'], asItIs]],
  [order, ['customer.email', EMAIL, asItIs]],
  [order, ['customer.id', USER_ID, asItIs]],
  [order, ['ip_address', ['properties.ip_address', 'context.ip', 'request_ip'], asItIs]],
])('%j has %j', (event, row) => {
  expectSources(recordOf(event), row);
});

const AMOUNTS = ['subtotal', 'discount', 'shipping', 'tax'];
const TEXTS = ['web_id', 'channel', 'store', 'payment_method', 'shipping_method', 'coupon_code'];
const ADDRESSES = ['shipping_address', 'billing_address'];
it.each([
  ...AMOUNTS.map((name) => [name, '1.5', 1.5] as const),
  ...TEXTS.map((name) => [name, 'x', 'x'] as const),
  ...ADDRESSES.map((name) => [name, { city: 'London' }, { city: 'London' }] as const),
  ...ADDRESSES.map((name) => [name, 'London', undefined] as const),
])('an order has %s of %j as %j', (name, value, sent) => {
  const record = recordOf(order)({ [`properties.${name}`]: value });
  expect([record[name], record['properties']]).toEqual([sent, undefined]);
});

it.each<[string, unknown, unknown]>([
  ...['variant_id', 'sku'].map((name): [string, unknown, unknown] => [name, 'x', 'x']),
  ...['unit_price', 'quantity_refunded', 'tax', 'total', 'discount'].map((name): [string, unknown, unknown] => [
    ...([name, '2', 2] as const),
  ]),
  ...['totals', 'properties'].map((name): [string, unknown, unknown] => [name, { a: 1 }, { a: 1 }]),
  ['refunded', 3, 3],
  ['is_on_sale', true, true],
  ['is_on_sale', {}, undefined],
])('a line has %s of %j as %j', (name, value, sent) => {
  const line = { product_id: 'p', quantity: 1, subtotal: 1, [name]: value };
  expect(valueAt(recordOf(order)({ 'properties.products': [line] }), `lineitems.0.${name}`)).toEqual(sent);
});
