import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada } from '../../../test/events.fixtures.js';
import { asItIs, expectSources, type SourcesRow, withValues } from '../../../test/sources.fixtures.js';
import { USER_ID } from '../../toolkit/index.js';
import algolia from './algolia.js';

const types = [
  { from: 'Shoe Seen', to: 'view' },
  { from: 'Shoe Tried', to: ' CLICK' },
  { from: 'Order Completed', to: 'conversion' },
  { from: 'Product List Viewed', to: 'click' },
  { from: 'Shoe Worn', to: 'dance' },
];
const config = { apiKey: 'k', applicationId: 'app', eventTypeSettings: types };
const seen = { ...ada, type: 'track', event: 'Shoe Seen', properties: { index: 'shoes', objectIds: ['s-1', 's-2'] } };
const send = (values: JsonObject, settings: JsonObject = {}) =>
  algolia.transform(withValues(seen, values), { ...config, ...settings });
const sent = (values: JsonObject, settings: JsonObject = {}): JsonObject => {
  const events = send(values, settings)[0]?.body.JSON['events'] as JsonObject[] | undefined;
  return events?.[0] ?? {};
};
const range = (count: number) => Array.from({ length: count }, (_, place) => place + 1);
const tried = { event: 'Shoe Tried' };
const bought = { event: 'Order Completed', 'properties.objectIds': undefined };

describe('an event for Algolia', () => {
  it('goes to Insights with the key of the application', () => {
    expect(send({})).toMatchObject([
      {
        ...{ method: 'POST', endpoint: 'https://insights.algolia.io/1/events' },
        headers: { 'x-algolia-application-id': 'app', 'x-algolia-api-key': 'k' },
      },
    ]);
    expect(sent({})).toEqual({
      ...{ eventName: 'shoe seen', eventType: 'view', index: 'shoes', userToken: 'ada' },
      objectIDs: ['s-1', 's-2'],
    });
  });

  it.each<SourcesRow>([
    ['index', ['properties.index'], asItIs],
    ['userToken', USER_ID, asItIs],
    ['queryID', ['properties.queryId'], asItIs],
  ])('has %s from %j', (...row) => {
    const nobody = { userId: undefined, anonymousId: 'anon-1' };
    expectSources((values) => sent({ ...nobody, ...values }), row);
  });

  it('has a time only if its properties tell one', () => {
    expect(sent({ 'properties.timestamp': 1_772_600_767_890 })).toMatchObject({ timestamp: 1_772_600_767_890 });
    expect(sent({ 'properties.timestamp': '2026-03-04T05:06:07.890Z' })).toMatchObject({
      timestamp: 1_772_600_767_890,
    });
    expect(sent({ 'properties.timestamp': 'never' })).not.toHaveProperty('timestamp');
  });

  it.each([
    [{ event: ' SHOE seen' }, 'view'],
    [tried, 'click'],
    [{ ...tried, 'properties.eventType': ' Conversion ' }, 'conversion'],
    [{ ...tried, 'properties.eventType': '' }, 'click'],
  ])('of %j is of the type %s', (values, type) => {
    expect(sent(values)).toMatchObject({ eventType: type });
  });

  it('is of the type that the last setting of its name has', () => {
    expect(sent(tried, { eventTypeSettings: [...types, { from: 'shoe tried', to: 'view' }] })).toMatchObject({
      eventType: 'view',
    });
  });
});

describe('the subject of an event for Algolia', () => {
  it('is at most ten filters or twenty records', () => {
    const filters = range(12).map((place) => `size:${place}`);
    const filtered = sent({ 'properties.objectIds': undefined, 'properties.filters': [...filters, null] });
    expect(filtered).toMatchObject({ filters: filters.slice(0, 10) });
    expect(filtered).not.toHaveProperty('objectIDs');
    expect(sent({ 'properties.objectIds': range(25) })).toMatchObject({ objectIDs: range(20).map(String) });
  });

  it('has positions in the answer to a query if it is a click', () => {
    const placed = { 'properties.positions': range(25), 'properties.queryId': 'q', 'properties.objectIds': range(25) };
    expect(sent({ ...tried, ...placed })).toMatchObject({ positions: range(20), queryID: 'q' });
    expect(sent(placed)).not.toHaveProperty('positions');
    expect(sent(tried)).toMatchObject({ objectIDs: ['s-1', 's-2'] });
    expect(sent(tried)).not.toHaveProperty('positions');
  });

  it('are the products of a list or an order', () => {
    const products = [{ objectId: 's-8', position: 3 }, { objectId: 9 }, { sku: 'unknown', position: 5 }];
    const listed = { event: 'Product List Viewed', 'properties.products': products };
    expect(sent({ ...listed, 'properties.eventType': 'view' })).toMatchObject({ objectIDs: ['s-8', '9'] });
    expect(sent({ ...listed, 'properties.queryId': 'q' })).toMatchObject({ objectIDs: ['s-8'], positions: [3] });
    expect(sent({ ...listed, 'properties.products': [{ objectId: 's-8' }] })).toMatchObject({ objectIDs: ['s-8'] });
    expect(sent({ ...listed, 'properties.products': [{}] })).toMatchObject({ objectIDs: ['s-1', 's-2'] });
    for (const event of [' ORDER completed', 'order_completed', 'orderCompleted']) {
      const order = { ...bought, event, 'properties.eventType': 'conversion', 'properties.products': products };
      expect(sent(order)).toMatchObject({ eventName: event.trim().toLowerCase(), objectIDs: ['s-8', '9'] });
    }
    expect(sent({ 'properties.products': products })).toMatchObject({ objectIDs: ['s-1', 's-2'] });
  });

  it('has its price and quantity if it is a conversion', () => {
    const products = [
      { objectId: 's-1', price: 59.5, discount: '5', quantity: '2', queryID: 'q', colour: 'red' },
      { objectId: 's-2', price: 'free', quantity: 'few' },
    ];
    const order = { ...bought, 'properties.products': products, 'properties.eventSubtype': 'purchase' };
    const objectData = [{ price: '59.5', discount: '5', quantity: 2, queryID: 'q' }, {}];
    expect(sent({ ...order, 'properties.value': '114', 'properties.currency': 'EUR' })).toEqual({
      ...{ eventName: 'order completed', eventType: 'conversion', eventSubtype: 'purchase' },
      ...{ index: 'shoes', userToken: 'ada', value: 114, currency: 'EUR', objectIDs: ['s-1', 's-2'], objectData },
    });
    expect(sent({ ...order, 'properties.eventSubtype': 'theft' })).not.toHaveProperty('eventSubtype');
    expect(sent({ ...order, 'properties.products': [{ objectId: 's-1' }] })).not.toHaveProperty('objectData');
    const view = sent({ ...order, 'properties.eventType': 'view', 'properties.value': 7 });
    expect(Object.keys(view).sort()).toEqual(['eventName', 'eventType', 'index', 'objectIDs', 'userToken']);
  });
});

describe('Algolia refuses', () => {
  const noPlaces = 'a click has properties.queryId and whole numbers as positions, or neither';
  it.each<[JsonObject, string]>([
    [{ type: 'identify' }, 'Event type identify is not supported'],
    [{ event: ' ' }, 'Event name is required'],
    [{ event: 'Shoe Lost' }, 'properties.eventType is required'],
    [{ event: 'Shoe Worn' }, 'properties.eventType must be click, view or conversion'],
    [{ 'properties.eventType': 7 }, 'properties.eventType must be click, view or conversion'],
    [{ 'properties.index': undefined }, 'index is required'],
    [{ userId: '', anonymousId: null }, 'userToken is required'],
    [{ 'properties.objectIds': 's-1' }, 'properties.filters or properties.objectIds is required'],
    [{ 'properties.objectIds': [null, ''] }, 'properties.filters or properties.objectIds is required'],
    [{ 'properties.filters': ['size:40'] }, 'not both'],
    [{ ...tried, 'properties.queryId': 'q' }, noPlaces],
    [{ ...tried, 'properties.positions': [1, 2] }, noPlaces],
    [{ ...tried, 'properties.positions': ['1', 2], 'properties.queryId': 'q' }, noPlaces],
    [{ ...tried, 'properties.positions': [1], 'properties.queryId': 'q' }, 'as many positions as objectIds'],
  ])('%j', (values, message) => {
    expect(() => send(values)).toThrow(message);
  });

  it.each(['apiKey', 'applicationId'])('to work without %s', (key) => {
    expect(() => send({}, { [key]: '' })).toThrow(`${key} is required`);
  });
});

it('Algolia gets several events of one application in a request', () => {
  const rule = algolia.batch?.(config);
  const payloads = [...send({}), ...send(tried)];
  expect(new Set(payloads.map((payload) => rule?.keyOf(payload))).size).toBe(1);
  expect(rule?.combine(payloads).body.JSON['events']).toHaveLength(2);
});
