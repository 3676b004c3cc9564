import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada } from '../../test/events.fixtures.js';
import { zendeskTransform } from './zendesk.transform.js';

const config = { domain: 'acme', email: 'agent@acme.example', apiToken: 't' };
const call = (event: JsonObject, more: JsonObject = {}) => {
  const [payload, ...others] = zendeskTransform({ ...ada, ...event }, { ...config, ...more });
  expect(others).toEqual([]);
  return [
    `${payload?.method} ${payload?.endpoint.replace('https://acme.zendesk.com/api/v2/', '')}`,
    payload?.params,
    payload?.body.JSON,
  ];
};
const traits = { firstName: 'Ada', lastName: 'King', email: 'a@b.c', plan: 'pro', address: { city: 'Turin' } };

describe('Zendesk', () => {
  it.each<[JsonObject, JsonObject, string, JsonObject, JsonObject]>([
    [
      { type: 'identify', traits },
      { createUsersAsVerified: true },
      'POST users/create_or_update.json',
      {},
      {
        user: {
          ...{ name: 'Ada King', email: 'a@b.c', external_id: 'ada', verified: true },
          user_fields: { id: 'ada', plan: 'pro' },
        },
      },
    ],
    [
      { type: 'identify', traits: { name: 'Ada', userId: 'x', company: { id: 7, remove: true } } },
      { removeUsersFromOrganization: true },
      'POST users/create_or_update.json',
      { left_organization_id: 7 },
      { user: { name: 'Ada', external_id: 'x', user_fields: { id: 'x' } } },
    ],
    [
      { type: 'track', event: 'Paid', properties: { total: 1 }, context: { traits } },
      { sourceName: 'Shop' },
      'POST user_profiles/events',
      {},
      {
        event: {
          ...{ description: 'Paid', type: 'Paid', source: 'Shop', properties: { total: 1 } },
          created_at: ada.timestamp,
        },
        profile: {
          ...{ type: 'customer', source: 'Shop', name: 'Ada King' },
          identifiers: [{ type: 'email', value: 'a@b.c' }],
        },
      },
    ],
    [
      {
        ...{ type: 'group', groupId: 'g', context: { traits } },
        traits: { name: 'Weir', domainNames: ['weir.example'], size: 5 },
      },
      {},
      'POST organizations/create_or_update.json',
      { external_id: 'ada', email: 'a@b.c', name: 'Ada King' },
      {
        organization: {
          ...{ name: 'Weir', domain_names: ['weir.example'], external_id: 'g' },
          organization_fields: { id: 'g', size: 5 },
        },
      },
    ],
    [
      { type: 'group', groupId: 'g', userId: '', traits: { name: 'Weir' } },
      { sendGroupCallsWithoutUserId: true },
      'POST organizations/create_or_update.json',
      {},
      { organization: { name: 'Weir', external_id: 'g', organization_fields: { id: 'g' } } },
    ],
  ])('%j with %j', (event, more, path, params, body) => {
    expect(call(event, more)).toEqual([path, params, body]);
  });

  it('knows the agent by a token', () => {
    const [payload] = zendeskTransform({ ...ada, type: 'identify', traits }, config);
    const given = Buffer.from('agent@acme.example/token:t').toString('base64');
    expect(payload?.headers).toMatchObject({ authorization: `Basic ${given}` });
  });

  it.each<[JsonObject, JsonObject, string]>([
    [{ type: 'identify' }, {}, 'traits.name is required'],
    [{ type: 'track', event: 'e' }, {}, 'traits.email is required'],
    [{ type: 'track', context: { traits } }, {}, 'Event name is required'],
    [{ type: 'group', traits: { name: 'Weir' } }, {}, 'groupId is required'],
    [{ type: 'group', groupId: 'g' }, {}, 'traits of the organization are required'],
    [{ type: 'group', groupId: 'g', traits: {} }, {}, 'name is required'],
    [{ type: 'group', groupId: 'g', userId: '', traits: { name: 'Weir' } }, {}, 'userId is required'],
    [{ type: 'identify', traits }, { domain: 'evil.example.com/' }, 'domain must be the subdomain'],
    [{ type: 'page' }, {}, 'Event type page is not supported'],
  ])('refuses %j with %j', (event, more, message) => {
    expect(() => call(event, more)).toThrow(message);
  });
});
