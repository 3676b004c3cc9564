import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada } from '../../test/events.fixtures.js';
import { md5 } from '../toolkit/index.js';
import { intercomTransform } from './intercom.transform.js';

const at = Math.floor(Date.parse(ada.timestamp) / 1_000);
const calls = (event: JsonObject, more: JsonObject) =>
  intercomTransform({ ...ada, ...event }, { apiKey: 'k', ...more }).map(
    ({ method, endpoint, params, body }) =>
      [`${method} ${endpoint.replace('https://api.intercom.io/', '')}`, params, body.JSON] as const,
  );
const traits = { firstName: 'Ada', lastName: 'King', email: 'a@b.c', plan: 'pro', address: { city: 'Turin' } };

describe('contacts of Intercom', () => {
  const v2 = { apiVersion: 'v2' };
  const contact = {
    ...{ external_id: 'ada', name: 'Ada King', email: 'a@b.c' },
    custom_attributes: { plan: 'pro', 'address.city': 'Turin' },
  };

  it.each<[JsonObject, [string, JsonObject, JsonObject][]]>([
    [{ type: 'identify', traits }, [['POST contacts', { email: 'a@b.c', external_id: 'ada' }, contact]]],
    [
      { type: 'identify', traits: { ownerId: '7', createdAt: '2026-01-01T00:00:00Z', company: { name: 'Weir' } } },
      [['POST contacts', { external_id: 'ada' }, { external_id: 'ada', owner_id: 7, signed_up_at: 1_767_225_600 }]],
    ],
    [
      { type: 'identify', traits: { ...traits, phone: '+1' }, integrations: { Intercom: { lookup: 'phone' } } },
      [['POST contacts', { phone: '+1' }, { ...contact, phone: '+1' }]],
    ],
    [
      { type: 'identify', traits, integrations: { INTERCOM: { lookup: 'userId' } } },
      [['POST contacts', { external_id: 'ada' }, contact]],
    ],
    [
      { type: 'identify', traits: { ...traits, company: { id: 'c 1', remove: true } } },
      [
        ['POST contacts', { email: 'a@b.c', external_id: 'ada' }, contact],
        ['DELETE contacts/companies', { email: 'a@b.c', external_id: 'ada', company_id: 'c 1' }, {}],
      ],
    ],
    [
      {
        ...{ type: 'identify', userId: '', traits: { name: 'Ada' } },
        context: { mappedToDestination: true, externalId: [{ identifierType: 'user_id', id: 'u' }] },
      },
      [['POST contacts', { external_id: 'u' }, { external_id: 'u', name: 'Ada' }]],
    ],
    [
      { type: 'track', event: 'Paid', properties: { deep: { a: [1] }, price: { amount: 2, currency: 'eur' } } },
      [
        [
          'POST events',
          {},
          {
            ...{ user_id: 'ada', event_name: 'Paid', created_at: at },
            metadata: { price: { amount: 2, currency: 'eur' }, 'deep.a[0]': 1 },
          },
        ],
      ],
    ],
    [
      { type: 'group', groupId: 'g', traits: { name: 'Weir', size: '50', own: 1, email: 'x@y.z' } },
      [
        [
          'POST companies',
          { email: 'x@y.z', external_id: 'ada' },
          { company_id: 'g', name: 'Weir', size: 50, custom_attributes: { own: 1 } },
        ],
      ],
    ],
    [
      { type: 'group', userId: '', groupId: 'g', traits: { name: 'Weir', userId: 'of-the-company' } },
      [['POST companies', {}, { company_id: 'g', name: 'Weir' }]],
    ],
  ])('%j', (event, expected) => {
    expect(calls(event, v2)).toEqual(expected);
  });

  it('live in the region of the workspace, and may be anonymous', () => {
    const config = { apiKey: 'k', apiServer: 'eu', sendAnonymousId: true, ...v2 };
    const [payload] = intercomTransform({ ...ada, userId: '', type: 'identify' }, config);
    expect(payload).toMatchObject({
      endpoint: 'https://api.eu.intercom.io/contacts',
      headers: { authorization: 'Bearer k', 'intercom-version': '2.10' },
      body: { JSON: { external_id: 'anon-1' } },
    });
  });
});

describe('users of Intercom', () => {
  it.each<[JsonObject, [string, JsonObject][]]>([
    [
      { type: 'identify', traits: { ...traits, company: { name: 'Weir', own: [1], none: null } } },
      [
        [
          'POST users',
          {
            ...{ user_id: 'ada', name: 'Ada King', email: 'a@b.c', update_last_request_at: true },
            custom_attributes: { plan: 'pro', 'address.city': 'Turin' },
            companies: [{ company_id: md5('Weir'), name: 'Weir', custom_attributes: { own: '[1]' } }],
          },
        ],
      ],
    ],
    [
      { type: 'identify', traits: { company: { own: 1 } } },
      [['POST users', { user_id: 'ada', update_last_request_at: true, custom_attributes: {}, companies: [] }]],
    ],
    [
      {
        ...{ type: 'identify', traits: { firstName: 'Ada', custom_attributes: { a: 1 } } },
        context: { mappedToDestination: true, externalId: [{ identifierType: 'user_id', id: 'u' }] },
      },
      [['POST users', { firstName: 'Ada', name: 'Ada', user_id: 'u', update_last_request_at: true }]],
    ],
    [{ type: 'track', event: 'Paid' }, [['POST events', { user_id: 'ada', event_name: 'Paid', created: at }]]],
    [
      { type: 'group', groupId: 'g', traits: { name: 'Weir', own: { a: 1 } }, context: { traits } },
      [
        ['POST companies', { company_id: 'g', name: 'Weir', custom_attributes: { 'own.a': 1 } }],
        ['POST users', { user_id: 'ada', email: 'a@b.c', companies: [{ company_id: 'g', name: 'Weir' }] }],
      ],
    ],
    [
      { type: 'group', userId: '', groupId: 'g', traits: { name: 'Weir' } },
      [['POST companies', { company_id: 'g', name: 'Weir' }]],
    ],
  ])('%j', (event, expected) => {
    expect(calls(event, {}).map(([what, , body]) => [what, body])).toEqual(expected);
  });

  it('are not seen now when the configuration says so', () => {
    expect(calls({ type: 'identify' }, { updateLastRequestAt: false })[0]?.[2]).toMatchObject({
      update_last_request_at: false,
    });
  });
});

describe.each(['v1', 'v2'])('an event for Intercom with %s', (apiVersion) => {
  it.each<[JsonObject, string]>([
    [{ type: 'identify', userId: '' }, 'userId or traits.email is required'],
    [{ type: 'track', event: 'e', userId: '' }, 'userId or traits.email is required'],
    [{ type: 'track' }, 'Event name is required'],
    [{ type: 'group', traits: { name: 'Weir' } }, 'groupId is required'],
    [{ type: 'page' }, 'Event type page is not supported'],
  ])('is refused: %j', (event, message) => {
    expect(() => calls(event, { apiVersion })).toThrow(message);
  });
});
