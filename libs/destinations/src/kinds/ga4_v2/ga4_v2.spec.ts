import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { answering } from '../../../test/answering.fixtures.js';
import { withValues } from '../../../test/sources.fixtures.js';
import ga4V2 from './ga4_v2.js';

const CONFIG = { apiSecret: 's', typesOfClient: 'gtag', measurementId: 'G-1' };
const timestamp = new Date(Date.now() - 1_000).toISOString();
const EVENT = { type: 'track', event: 'Ride Booked', anonymousId: 'anon', userId: 'ada', timestamp, properties: {} };
const send = (values: JsonObject, config: JsonObject = {}) =>
  ga4V2.transform(withValues(EVENT, values), { ...CONFIG, ...config });
const sent = (values: JsonObject, config: JsonObject = {}): JsonObject => send(values, config)[0]?.body.JSON ?? {};
const mapping = (rsEventName: string, destEventName: unknown, ...pairs: [from: string, to: string][]) => ({
  ...{ rsEventName, destEventName },
  eventProperties: pairs.map(([from, to]) => ({ from, to })),
});
const mappedBy = (values: JsonObject, ...eventsMapping: JsonObject[]) => sent(values, { eventsMapping });

describe('an event without a mapping', () => {
  it('is a custom event, whatever its name', () => {
    const properties = { list_id: 'l', products: [{ name: 'Salt' }] };
    expect(send({ event: 'Product Viewed', properties })).toMatchObject([
      {
        endpoint: 'https://www.google-analytics.com/mp/collect',
        params: { api_secret: 's', measurement_id: 'G-1' },
        body: {
          JSON: {
            ...{ client_id: 'anon', user_id: 'ada' },
            events: [
              { name: 'Product_Viewed', params: { engagement_time_msec: 1, list_id: 'l', products_0_name: 'Salt' } },
            ],
          },
        },
      },
    ]);
    expect(sent({ properties }, { eventsMapping: [mapping('Other', 'view_item')] })).toMatchObject({
      events: [{ name: 'Ride_Booked' }],
    });
  });

  it('is a page or a group', () => {
    expect(sent({ type: 'page', 'properties.title': 'T' })).toMatchObject({
      events: [{ name: 'page_view', params: { title: 'T' } }],
    });
    expect(sent({ type: 'group', groupId: 'g' })).toMatchObject({
      events: [{ name: 'join_group', params: { group_id: 'g' } }],
    });
  });

  it('has the options of the page', () => {
    const options = { clientId: 'c', sessionId: '5', sessionNumber: 3, consents: { ad_user_data: 'DENIED' } };
    const values = { integrations: { 'Google Analytics 4 (GA4) V2': options } };
    expect(sent(values, { connectionMode: 'hybrid' })).toMatchObject({
      ...{ client_id: 'c', consent: { ad_user_data: 'DENIED' } },
      events: [{ params: { session_id: '5', session_number: 3 } }],
    });
    expect(sent({ integrations: { GA4_V2: options } })).toMatchObject({ client_id: 'anon' });
  });

  it('is checked only if that is configured', () => {
    expect(send({}, { debugMode: true })[0]?.endpoint).toMatch(/debug\/mp\/collect$/);
  });
});

describe('a mapping', () => {
  const products = [
    { product_id: 1, name: 'Salt' },
    { product_id: 2, name: 'Sugar', code: 'c' },
  ];

  it('names the event and fills items, parameters and the person', () => {
    const body = mappedBy(
      {
        properties: { products, price: 4, plan: 'pro' },
        'context.traits': { first: 'Ada', id2: 'x', long: 'l'.repeat(40) },
      },
      mapping(
        'Ride Booked',
        'view_item_list',
        ['$.context.traits.id2', '$.client_id'],
        ['$.context.traits.first', '$.user_id'],
        ['$.properties.products[*].name', '$.events[0].params.items[*].item_name'],
        ['$.properties.products[*].code', '$.events[0].params.items[*].code'],
        ['$.properties.price', '$.events[0].params.value'],
        ['USD', '$.events[0].params.currency'],
        ['$.properties.none', '$.events[0].params.none'],
        ['$.context.traits.first', '$.userProperties.name1.value'],
        ['$.context.traits.first', '$.user_properties.name2.value'],
        ['$.context.traits.long', '$.userProperties.name3.value'],
      ),
    );
    expect(body).toMatchObject({ client_id: 'x', user_id: 'Ada' });
    expect(body['user_properties']).toEqual({
      ...{ first: { value: 'Ada' }, id2: { value: 'x' }, name1: { value: 'Ada' }, name2: { value: 'Ada' } },
    });
    expect(body['events']).toEqual([
      {
        name: 'view_item_list',
        params: {
          ...{ engagement_time_msec: 1, price: 4, plan: 'pro', value: 4, currency: 'USD' },
          items: [{ item_name: 'Salt' }, { item_name: 'Sugar', code: 'c' }],
        },
      },
    ]);
  });

  it('leaves the products flat that it does not make items', () => {
    expect(mappedBy({ properties: { products } }, mapping('Ride Booked', 'ride'))['events']).toMatchObject([
      { name: 'ride', params: { products_0_name: 'Salt', products_1_code: 'c' } },
    ]);
    const odd = mapping('Ride Booked', 'ride', ['text', '$.events[0].params.items']);
    expect(mappedBy({}, odd)['events']).toEqual([{ name: 'ride', params: { engagement_time_msec: 1 } }]);
  });

  it('may be one of several of an event', () => {
    const eventsMapping = [mapping('Ride Booked', 'add_to_cart'), mapping('Ride Booked', 'begin_checkout')];
    expect(send({}, { eventsMapping }).map(({ body }) => body.JSON['events'])).toMatchObject([
      [{ name: 'add_to_cart' }],
      [{ name: 'begin_checkout' }],
    ]);
  });

  it('of $group and $page is for these types', () => {
    const eventsMapping = [
      mapping('$group', 'team', ['$.groupId', '$.events[0].params.team_id']),
      mapping('$page', 'seen', ['$.properties.title', '$.events[0].params.shown']),
    ];
    expect(sent({ type: 'group', groupId: 'g', 'traits.plan': 'pro' }, { eventsMapping })).toMatchObject({
      events: [{ name: 'team', params: { group_id: 'g', team_id: 'g', plan: 'pro' } }],
    });
    expect(sent({ type: 'page', 'properties.title': 'T' }, { eventsMapping })).toMatchObject({
      events: [{ name: 'seen', params: { title: 'T', shown: 'T' } }],
    });
  });

  it('fills the id of an app', () => {
    const config = { typesOfClient: 'firebase', firebaseAppId: 'f' };
    const eventsMapping = [mapping('Ride Booked', 'ride', ['$.context.device.id', '$.app_instance_id'])];
    expect(send({ 'context.device.id': 'i' }, { ...config, eventsMapping })).toMatchObject([
      { params: { api_secret: 's', firebase_app_id: 'f' }, body: { JSON: { app_instance_id: 'i' } } },
    ]);
  });
});

describe('an event', () => {
  it.each<[JsonObject, JsonObject, string]>([
    [{ event: undefined }, {}, 'Event name is required'],
    [{ event: 7 }, {}, 'Event name must be a text'],
    [{ event: 'session_start' }, {}, 'reserved by Google'],
    [{ type: 'identify' }, {}, 'Event type identify is not supported'],
    [{ type: 'page' }, { connectionMode: 'hybrid' }, 'Pages go to Google from the browser'],
    [{}, { typesOfClient: '' }, 'typesOfClient must be gtag or firebase'],
    [{}, { apiSecret: null }, 'apiSecret is required'],
    [{ anonymousId: undefined }, {}, 'an anonymousId or an external id'],
    [{}, { eventsMapping: [mapping('Ride Booked', 7)] }, 'the mapping of Ride Booked needs destEventName'],
    [{}, { eventsMapping: [mapping('Ride Booked', 'first_visit')] }, 'reserved by Google'],
    [
      {},
      { eventsMapping: [mapping('Ride Booked', 'ride', ['process.env||$.userId', '$.events[0].params.leak'])] },
      'is not a mapping that Weir reads',
    ],
  ])('of %j with %j is refused: %s', (values, config, message) => {
    expect(() => send(values, config)).toThrow(message);
  });

  it('that the debug server would drop is refused', async () => {
    const [payload] = send({});
    if (!payload) throw new Error('no payload');
    const answer = (messages: unknown[]) =>
      ga4V2.deliver?.(payload, CONFIG, answering(200, { validationMessages: messages }), {});
    expect(await answer([])).toMatchObject({ status: 200 });
    expect(await answer([{ description: 'bad' }])).toMatchObject({ status: 400 });
  });
});
