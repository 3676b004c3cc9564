import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada } from '../../../test/events.fixtures.js';
import { withValues } from '../../../test/sources.fixtures.js';
import { arrayOf } from '../../toolkit/index.js';
import ometria from './ometria.js';

const config = { apiKey: 'k', marketingOptin: 'NOT_SPECIFIED', allowMarketing: true };
const traits = { listingId: 'l-1', email: 'ada@example.com' };
const identify = { ...ada, type: 'identify', traits };
const customer = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' };
const track = { ...ada, type: 'track', event: 'Report Opened', context: { traits: customer } };
const sold = { order_id: 'o-1', grand_total: '12.50', currency: 'eur', gift: true };
const order = { ...track, event: 'Order Completed', properties: sold };
const send = (event: JsonObject, values: JsonObject = {}, more: JsonObject = {}) =>
  ometria.transform(withValues(event, values), { ...config, ...more });
const recordOf = (event: JsonObject, values: JsonObject = {}, more: JsonObject = {}) =>
  send(event, values, more).flatMap(arrayOf)[0] as JsonObject;

describe('a contact at Ometria', () => {
  it('is pushed as the only record of a list', () => {
    const [payload] = send(identify);
    expect(payload).toMatchObject({
      ...{ method: 'POST', endpoint: 'https://api.ometria.com/v2/push', headers: { 'X-Ometria-Auth': 'k' } },
    });
    expect(payload && arrayOf(payload)).toEqual([
      {
        ...{ '@type': 'contact', id: 'l-1', email: 'ada@example.com', customer_id: 'ada' },
        marketing_optin: 'NOT_SPECIFIED',
        channels: { sms: { allow_marketing: true, allow_transactional: false } },
      },
    ]);
  });

  it('has custom fields: those named so, or whatever Ometria does not know', () => {
    const more = { plan: 'pro', phoneNumber: '+12025550123', channels: { sms: {} }, marketingOptin: 'x', name: 'Ada' };
    expect(recordOf(identify, { traits: { ...traits, ...more }, 'context.traits.seats': 3 })['properties']).toEqual({
      ...{ plan: 'pro', seats: 3 },
    });
    expect(recordOf(identify, { 'traits.custom_fields': { a: 1 }, 'traits.plan': 'pro' })['properties']).toEqual({
      a: 1,
    });
  });

  it.each<[string, JsonObject]>([
    ['Ada', { firstname: 'Ada' }],
    ['Ada Lovelace', { firstname: 'Ada', lastname: 'Lovelace' }],
    ['Ada  King of Lovelace', { firstname: 'Ada', middlename: 'King of', lastname: 'Lovelace' }],
  ])('called %s has the names %j', (name, names) => {
    const { firstname, middlename, lastname } = recordOf(identify, { 'traits.name': name });
    expect({ firstname, middlename, lastname }).toEqual(names);
  });

  it('keeps names that are given', () => {
    const given = { 'traits.name': 'Countess L', 'traits.firstName': 'Ada', 'traits.middle_name': 'K' };
    expect(recordOf(identify, given)).toMatchObject({ firstname: 'Ada', middlename: 'K' });
    expect(recordOf(identify, given)).not.toHaveProperty('lastname');
    expect(recordOf(identify, { 'traits.name': 'Ada L', 'traits.middlename': 'K' })).toMatchObject({
      ...{ firstname: 'Ada', middlename: 'K', lastname: 'L' },
    });
  });

  it('takes the options of the event before the settings', () => {
    const options = { listingId: 7, marketingOptin: 'EXPLICITLY_OPTEDIN', allowMarketing: false };
    const own = { allow_transactional: 'true', dt_updated_marketing: '2026-01-02T03:04:05Z' };
    expect(recordOf(identify, { 'integrations.Ometria': { ...options, ...own } })).toMatchObject({
      ...{ id: 7, marketing_optin: 'EXPLICITLY_OPTEDIN' },
      channels: {
        sms: { allow_marketing: false, allow_transactional: true, dt_updated_marketing: '2026-01-02T03:04:05Z' },
      },
    });
  });

  it.each([
    ['', undefined],
    ['maybe', undefined],
    ['EXPLICITLY_OPTEDOUT', 'EXPLICITLY_OPTEDOUT'],
  ])('is opted in by the setting %j as %j', (marketingOptin, optin) => {
    const other = { 'integrations.Ometria.marketingOptin': 'perhaps' };
    expect(recordOf(identify, other, { marketingOptin })['marketing_optin']).toBe(optin);
  });

  it.each(['12025550123', '+0123', 'phone', 12_025_550_123])('has no phone %j, which is not E.164', (phoneNumber) => {
    expect(recordOf(identify, { 'traits.phoneNumber': phoneNumber })).not.toHaveProperty('phone_number');
  });
});

describe('a custom event at Ometria', () => {
  it('has its properties as custom fields, and its message as id', () => {
    expect(recordOf(track, { properties: { report: 7, profile_id: 'p' } })).toEqual({
      ...{ '@type': 'custom_event', event_type: 'Report Opened', id: 'm-1', timestamp: ada.timestamp },
      ...{ identity_email: 'ada@example.com', identity_account_id: 'ada', profile_id: 'p', properties: { report: 7 } },
    });
    const own = { event_id: 'e-1', timestamp: '2026-01-02', custom_fields: { a: 1 }, report: 7 };
    expect(recordOf(track, { properties: own })).toMatchObject({
      ...{ id: 'e-1', timestamp: '2026-01-02', properties: { a: 1 } },
    });
  });

  it('has a time in ISO 8601', () => {
    expect(recordOf(track, { timestamp: 1_767_225_600_000 })).toMatchObject({ timestamp: '2026-01-01T00:00:00.000Z' });
    for (const time of ['yesterday', 'Thu, 01 Jan 2026 00:00:00 GMT', '2026-13-01', true])
      expect(() => send(track, { 'properties.timestamp': time })).toThrow('timestamp is required');
  });
});

describe('an order at Ometria', () => {
  it('has its customer and its other properties', () => {
    expect(recordOf(order, { 'context.ip': '192.0.2.1' })).toEqual({
      ...{ '@type': 'order', id: 'o-1', status: 'complete', is_valid: true, timestamp: ada.timestamp },
      ...{ grand_total: 12.5, currency: 'eur', ip_address: '192.0.2.1', properties: { gift: true } },
      customer: { id: 'ada', email: 'ada@example.com', firstname: 'Ada', lastname: 'Lovelace' },
    });
  });

  it.each([
    ['order completed', 'complete'],
    ['Order Complete', 'complete'],
    ['complete', 'complete'],
    ['order_shipped', 'shipped'],
    ['Shipped', 'shipped'],
    ['Order Pending', 'pending'],
    ['pending', 'pending'],
  ])('%j is %s', (event, status) => {
    expect(recordOf(order, { event })).toMatchObject({ '@type': 'order', status });
  });

  it('lists the products that have a price and a quantity', () => {
    const whole = { product_id: 'p-1', quantity: '2', unit_price: 3, color: 'red' };
    const size = { id: 's', type: 'size', label: 5 };
    const products = [
      { ...whole, variant_options: [size, { id: 's', type: 'size' }, 'x'] },
      { product_id: 'p-2', quantity: 1, subtotal: 0, variant_options: [{}] },
      ...[{ product_id: 'p-3', quantity: 1 }, { product_id: 'p-4', subtotal: 1 }, { quantity: 1, subtotal: 1 }, 'x'],
    ];
    expect(recordOf(order, { 'properties.products': products })['lineitems']).toEqual([
      { product_id: 'p-1', quantity: 2, unit_price: 3, variant_options: [size] },
      { product_id: 'p-2', quantity: 1, subtotal: 0 },
    ]);
    expect(recordOf(order, { 'properties.products': products.slice(2) })).not.toHaveProperty('lineitems');
  });
});

describe('Ometria', () => {
  it.each<[JsonObject, JsonObject, string]>([
    [{ ...identify, traits: { email: 'ada@example.com' } }, {}, 'listingId is required'],
    [{ ...identify, traits: { listingId: 'l-1' } }, {}, 'email is required'],
    [{ ...track, context: {} }, {}, 'identity_email is required'],
    [{ ...track, messageId: '' }, {}, 'id is required: it is read from properties.event_id, messageId'],
    [{ ...track, event: null }, {}, 'Event name is required'],
    [{ ...order, context: {} }, {}, 'email is required'],
    [{ ...order, properties: { ...sold, order_id: '' } }, {}, 'id is required: it is read from properties.order_id'],
    [{ ...order, properties: { ...sold, grand_total: 'much' } }, {}, 'grand_total is required'],
    [{ ...order, properties: { ...sold, currency: 'money' } }, {}, 'currency is required'],
    [{ ...order, properties: { ...sold, currency: 978 } }, {}, 'currency is required'],
    [{ ...ada, type: 'page' }, {}, 'Event type page is not supported'],
    [identify, { apiKey: null }, 'apiKey is required'],
  ])('refuses %j with %j: %s', (event, more, message) => {
    expect(() => send(event, {}, more)).toThrow(message);
  });
});
