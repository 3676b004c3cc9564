import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { attentiveTagTransform } from './attentive_tag.transform.js';

const traits = { email: 'a@b.c', phone: '+39011' };
const send = (event: JsonObject, config: JsonObject = {}) =>
  attentiveTagTransform(
    { userId: 'ada', context: { traits }, ...event },
    { apiKey: 'k', signUpSourceId: 's', ...config },
  ).map(({ endpoint, body }) => [endpoint.replace('https://api.attentivemobile.com/v1/', ''), body.JSON] as const);
const now = new Date().toISOString();

describe('Attentive people', () => {
  it('subscribe, or are joined and described', () => {
    expect(send({ type: 'identify' })).toEqual([['subscriptions', { user: traits, signUpSourceId: 's' }]]);
    const context = {
      traits: { ...traits, plan: 'pro' },
      externalId: [
        { type: 'clientUserId', id: 7 },
        { type: 'shopifyId', id: 's' },
      ],
    };
    expect(send({ type: 'identify', context }, { enableNewIdentifyFlow: true })).toEqual([
      ['identity-resolution/user-identifiers', { ...traits, clientUserId: '7', shopifyId: 's' }],
      [
        'attributes/custom',
        { user: { ...traits, externalIdentifiers: { clientUserId: '7' } }, properties: { plan: 'pro' } },
      ],
    ]);
  });

  it('consent by channel', () => {
    const channelConsents = [
      { channel: 'email', consented: true },
      { channel: 'sms', consented: false, type: 'TRANSACTIONAL' },
      { channel: 'fax', consented: true },
    ];
    expect(send({ type: 'track', event: 'subscription_event', properties: { channelConsents } })).toEqual([
      ['subscriptions', { user: { email: 'a@b.c' }, signUpSourceId: 's' }],
      [
        'subscriptions/unsubscribe',
        { user: { phone: '+39011' }, subscriptions: [{ type: 'TRANSACTIONAL', channel: 'TEXT' }] },
      ],
    ]);
  });
});

describe('Attentive events', () => {
  const product = { product_id: 'p', variant: 'v', price: '2.5', name: 'Tea' };

  it('are custom ones, or of e-commerce with items', () => {
    expect(send({ type: 'track', event: 'Shipped', properties: { a: 1 }, timestamp: now })).toEqual([
      ['events/custom', { type: 'Shipped', properties: { a: 1 }, occurredAt: now, user: traits }],
    ]);
    expect(send({ type: 'track', event: 'Product Added', properties: { ...product, currency: 'EUR' } })).toEqual([
      [
        'events/ecommerce/add-to-cart',
        {
          items: [{ productId: 'p', productVariantId: 'v', name: 'Tea', price: [{ value: 2.5, currency: 'EUR' }] }],
          user: traits,
        },
      ],
    ]);
  });

  it.each<[JsonObject, JsonObject, string]>([
    [{ type: 'track', event: 'e', timestamp: '2020-01-01T00:00:00Z' }, {}, 'last 12 hours'],
    [{ type: 'track', event: 'e', properties: { 'a,b': 1 } }, {}, 'the property a,b'],
    [
      { type: 'track', event: 'Product Viewed', properties: { ...product, variant: '' } },
      {},
      'productVariantId is required',
    ],
    [{ type: 'track', event: 'subscription_event', properties: {} }, {}, 'channelConsents'],
    [{ type: 'identify' }, { signUpSourceId: '' }, 'signUpSourceId'],
    [{ type: 'identify', context: {} }, {}, 'traits.email or traits.phone'],
    [{ type: 'identify', context: {} }, { enableNewIdentifyFlow: true }, 'no identifiers to join'],
    [{ type: 'group' }, {}, 'Event type group is not supported'],
  ])('are refused: %j with %j', (event, config, message) => {
    expect(() => send(event, config)).toThrow(message);
  });
});
