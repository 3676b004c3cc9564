import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { asItIs, expectSources, type SourcesRow, withValues } from '../../../test/sources.fixtures.js';
import { trait } from '../../toolkit/index.js';
import attentiveTag from './attentive_tag.js';

const person = { email: 'a@b.cd', phone: '+39011' };
const IDENTIFY = { type: 'identify', userId: 'ada', context: { traits: person } };
const TRACK = { ...IDENTIFY, type: 'track', event: 'Shipped' };
const send = (event: JsonObject, values: JsonObject = {}, config: JsonObject = {}) =>
  attentiveTag
    .transform(withValues(event, values), { apiKey: 'k', signUpSourceId: 's', ...config })
    .map(({ endpoint, body }) => [endpoint.replace('https://api.attentivemobile.com/v1/', ''), body.JSON] as const);
const bodyOf = (event: JsonObject, values: JsonObject = {}, config: JsonObject = {}): JsonObject =>
  send(event, values, config)[0]?.[1] ?? {};
const ids = (...given: [type: string, id: unknown][]) => given.map(([type, id]) => ({ type, id }));
const custom = [{ name: 'n', value: 'v' }];
const newFlow = { enableNewIdentifyFlow: true };

describe('a person for Attentive', () => {
  it.each<SourcesRow>([
    ['user.phone', [...trait('phone'), 'properties.phone'], asItIs],
    ['user.email', [...trait('email'), 'properties.email'], asItIs],
  ])('has %s from %j', (...row) => {
    const bare = { ...TRACK, context: { externalId: ids(['clientUserId', 'c']) } };
    expectSources((values) => bodyOf(bare, values), row);
  });

  it('has no address that is neither text nor number', () => {
    const values = { 'traits.phone': {}, 'traits.email': ['a@b.cd'], 'context.externalId': ids(['shopifyId', 's']) };
    expect(bodyOf(TRACK, values)['user']).toEqual({ externalIdentifiers: { shopifyId: 's' } });
    const attributes = { 'context.traits': { email: {}, phone: 39, plan: 'pro' } };
    expect(send(IDENTIFY, attributes, newFlow)).toEqual([
      ['attributes/custom', { user: { phone: 39 }, properties: { plan: 'pro' } }],
    ]);
  });

  it('has external identifiers of each kind', () => {
    const externalId = ids(
      ['other', 'o'],
      ['clientUserId', 7],
      ['shopifyId', 's'],
      ['klaviyoId', 'k'],
      ['klaviyoId', 'l'],
    );
    const externalIdentifiers = { clientUserId: 7, shopifyId: 's', klaviyoId: 'k', customIdentifiers: custom };
    const values = { 'context.externalId': externalId, 'context.traits.customIdentifiers': custom };
    expect(bodyOf(TRACK, values)['user']).toEqual({ ...person, externalIdentifiers });
    expect(bodyOf(IDENTIFY, values)).toEqual({ user: person, signUpSourceId: 's', externalIdentifiers });
    expect(bodyOf(TRACK, { 'traits.customIdentifiers': 'c' })['user']).toEqual(person);
  });

  it.each<[JsonObject, string]>([
    [{ 'integrations.attentive_tag': { signUpSourceId: 'own' } }, 'own'],
    [{ 'integrations.Attentive Tag': { signUpSourceId: 'own' } }, 'own'],
    [{ 'integrations.AttentiveTag': { signUpSourceId: 'own' } }, 'own'],
    [{ 'properties.signUpSourceId': 'own' }, 's'],
  ])('subscribes with %j at %s', (values, signUpSourceId) => {
    expect(send(IDENTIFY, values)).toEqual([['subscriptions', { user: person, signUpSourceId }]]);
  });

  it('unsubscribes as the options say', () => {
    const options = {
      identifyOperation: 'UnSubscribe',
      subscriptions: [{ type: 'T' }],
      notification: { language: 'en' },
    };
    const { identifyOperation, ...rest } = options;
    expect(send(IDENTIFY, { 'integrations.attentive_tag': options }, { signUpSourceId: null })).toEqual([
      ['subscriptions/unsubscribe', { user: person, ...rest }],
    ]);
    expect(bodyOf(IDENTIFY, { 'integrations.attentive_tag': { identifyOperation } })).toEqual({ user: person });
  });
});

describe('the new flow', () => {
  const JOIN = 'identity-resolution/user-identifiers';

  it.each<[JsonObject, JsonObject, JsonObject | undefined]>([
    [person, {}, undefined],
    [person, { shopifyId: 's', klaviyoId: 'k' }, undefined],
    [{}, { clientUserId: 'c' }, undefined],
    [{}, { clientUserId: 'c', shopifyId: 's' }, { clientUserId: 'c', shopifyId: 's' }],
    [person, { clientUserId: 'c' }, { ...person, clientUserId: 'c' }],
    [{ email: 'e', customIdentifiers: custom }, {}, { email: 'e', customIdentifiers: custom }],
    [{ customIdentifiers: custom }, { klaviyoId: 'k' }, { klaviyoId: 'k', customIdentifiers: custom }],
    [{ customIdentifiers: custom }, {}, undefined],
    [{ customIdentifiers: custom }, { clientUserId: 'c' }, { clientUserId: 'c', customIdentifiers: custom }],
  ])('joins %j and %j as %j', (traits, external, joined) => {
    const values = {
      'context.traits': { ...traits, plan: 'pro' },
      'context.externalId': ids(...Object.entries(external)),
    };
    const calls = send(IDENTIFY, values, newFlow);
    expect(calls.find(([path]) => path === JOIN)?.[1]).toEqual(joined);
  });

  it('sets all other traits as attributes', () => {
    const traits = { ...person, customIdentifiers: custom, plan: 'pro', none: null, address: { city: 'Turin' } };
    const values = { 'context.traits': traits, 'context.externalId': ids(['clientUserId', 'c'], ['shopifyId', 's']) };
    expect(send(IDENTIFY, values, newFlow)[1]).toEqual([
      'attributes/custom',
      {
        user: { ...person, externalIdentifiers: { clientUserId: 'c', customIdentifiers: custom } },
        properties: { plan: 'pro', address: { city: 'Turin' } },
      },
    ]);
    const own = { traits: { email: 'own', a: 1 }, 'context.traits.plan': 'pro' };
    expect(send(IDENTIFY, own, newFlow)).toEqual([
      ['attributes/custom', { user: { email: 'own' }, properties: { a: 1 } }],
    ]);
  });
});

describe('a subscription event', () => {
  const consent = (channelConsents: unknown, more: JsonObject = {}) => ({
    event: ' Subscription  Event',
    properties: { channelConsents, ...more },
  });
  const on = (channel: string) => ({ channel, consented: true });
  const off = (channel: string, type?: string) => ({ channel, consented: false, ...(type && { type }) });
  const { email, phone } = person;

  it.each<[string, unknown, JsonObject, unknown[]]>([
    ['subscribes', [on('EMAIL'), on('sms')], {}, [['subscriptions', { user: person, signUpSourceId: 's' }]]],
    [
      'at its own unit',
      [on('sms')],
      { signUpSourceId: 'own' },
      [['subscriptions', { user: { phone }, signUpSourceId: 'own' }]],
    ],
    [
      'and unsubscribes',
      [off('Sms', 'T'), on('email'), off('email')],
      { notification: { disabled: true } },
      [
        ['subscriptions', { user: { email }, signUpSourceId: 's' }],
        [
          'subscriptions/unsubscribe',
          { user: person, subscriptions: [{ type: 'T', channel: 'TEXT' }], notification: { disabled: true } },
        ],
      ],
    ],
    ['leaves everything', [off('email')], {}, [['subscriptions/unsubscribe', { user: { email } }]]],
    [
      'skips what is unclear',
      [on('fax'), { channel: 'sms', consented: 'true' }, 'odd', off('email', 'T'), off('fax', 'T')],
      {},
      [
        [
          'subscriptions/unsubscribe',
          {
            user: { email },
            subscriptions: [
              { type: 'T', channel: 'EMAIL' },
              { type: 'T', channel: 'EMAIL' },
            ],
          },
        ],
      ],
    ],
  ])('%s: %j %j', (_, consents, more, expected) => {
    expect(send(TRACK, consent(consents, more))).toEqual(expected);
  });

  it.each<[JsonObject, JsonObject, string]>([
    [consent([on('email')]), { signUpSourceId: '' }, 'signUpSourceId is required'],
    [consent([off('email')]), { signUpSourceId: null }, 'signUpSourceId is required'],
    [consent('email'), {}, 'channelConsents must be a list'],
    [consent([on('fax')]), {}, 'needs a channel of the person'],
    [{ ...consent([on('sms')]), 'context.traits.phone': '' }, {}, 'needs a channel of the person'],
    [{ ...consent([on('sms')]), 'context.traits': {} }, {}, 'traits.email or traits.phone'],
  ])('of %j with %j is refused: %s', (values, config, message) => {
    expect(() => send(TRACK, values, config)).toThrow(message);
  });
});

describe('an event for Attentive', () => {
  const product = { product_id: 'p', variant: 'v', price: '2.5' };
  const item = { productId: 'p', productVariantId: 'v', price: [{ value: 2.5 }] };
  const now = new Date().toISOString();

  it('is a custom one under its own name', () => {
    const properties = { a: { b: [1] }, none: null, eventId: 7 };
    expect(send(TRACK, { event: ' My Event', properties, timestamp: now })).toEqual([
      ['events/custom', { type: ' My Event', properties, externalEventId: 7, occurredAt: now, user: person }],
    ]);
    expect(bodyOf(TRACK)).toEqual({ type: 'Shipped', user: person });
    expect(bodyOf(TRACK, { properties: {} })).toEqual({ type: 'Shipped', properties: {}, user: person });
    expect(bodyOf(TRACK, { properties: '' })).toEqual({ type: 'Shipped', user: person });
    expect(bodyOf(TRACK, { originalTimestamp: now })['occurredAt']).toBe(now);
  });

  it.each([
    ['Product List Viewed', 'product-view'],
    ['product_viewed', 'product-view'],
    [' Product  Added', 'add-to-cart'],
    ['ORDER COMPLETED', 'purchase'],
  ])('%s is e-commerce: %s', (event, path) => {
    expect(send(TRACK, { event, properties: product })).toEqual([
      [`events/ecommerce/${path}`, { items: [item], user: person }],
    ]);
  });

  it('has items with everything that is known of them', () => {
    const full = { ...product, product_id: 7, name: 'n', image_url: 'i', url: 'u', quantity: '2', currency: 'EUR' };
    const properties = { currency: 'CHF', 'odd"key': 1, products: [full, product, 'odd'] };
    expect(bodyOf(TRACK, { event: 'Order Completed', properties })['items']).toEqual([
      {
        ...{ ...item, productId: 7, name: 'n', productImage: 'i', productUrl: 'u', quantity: '2' },
        price: [{ value: 2.5, currency: 'EUR' }],
      },
      { ...item, price: [{ value: 2.5, currency: 'CHF' }] },
    ]);
    expect(bodyOf(TRACK, { event: 'Order Completed', properties: { ...product, products: null } })['items']).toEqual([
      item,
    ]);
  });

  it.each<[JsonObject, string]>([
    [{ event: undefined }, 'Event name is required'],
    [{ timestamp: new Date(Date.now() - 12 * 3_600_000 - 5_000).toISOString() }, 'last 12 hours'],
    [{ 'context.traits': {} }, 'needs a phone, an email or an external identifier'],
    ...[...`'"{}[],`].map((character): [JsonObject, string] => [
      { properties: { [`a${character}`]: 1 } },
      'has a character',
    ]),
    [{ properties: 'text' }, 'properties must be an object'],
    [{ properties: [1] }, 'properties must be an object'],
    [{ event: 'Product Viewed', properties: { ...product, variant: '' } }, 'productVariantId is required'],
    [{ event: 'Product Viewed', properties: { ...product, product_id: null } }, 'productId is required'],
    [{ event: 'Product Viewed', properties: { ...product, price: 'x' } }, 'every product needs a price'],
    [{ event: 'Product Viewed', properties: { ...product, products: [] } }, 'products must be a list'],
    [{ event: 'Product Viewed', properties: { ...product, products: 'p' } }, 'products must be a list'],
  ])('of %j is refused: %s', (values, message) => {
    expect(() => send(TRACK, values)).toThrow(message);
  });

  it.each<[JsonObject, JsonObject, string]>([
    [{}, { signUpSourceId: '' }, 'signUpSourceId is required'],
    [{ 'context.traits': { phone: 39_011 } }, {}, 'traits.email or traits.phone'],
    [{ 'context.traits': {} }, newFlow, 'no identifiers to join'],
    [{ 'context.traits': person }, newFlow, 'no identifiers to join'],
    [
      { traits: {}, 'context.traits': { plan: 'pro' }, 'context.externalId': ids(['clientUserId', 'c']) },
      newFlow,
      'no identifiers',
    ],
    [{ type: 'group' }, {}, 'Event type group is not supported'],
    [{}, { apiKey: '' }, 'apiKey is required'],
  ])('that identifies %j with %j is refused: %s', (values, config, message) => {
    expect(() => send(IDENTIFY, values, config)).toThrow(message);
  });
});
