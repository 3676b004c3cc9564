import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada, eventWith, itemsOf } from '../../../test/events.fixtures.js';
import hubspot from './hubspot.js';

const config = { accessToken: 't', apiVersion: 'newApi', lookupField: 'email' };
const send = (event: JsonObject, more: JsonObject = {}) => {
  const [payload] = hubspot.transform({ ...ada, ...event }, { ...config, ...more });
  if (!payload) throw new Error('no payload');
  return payload;
};
const inputOf = (event: JsonObject, more: JsonObject = {}) =>
  (send(event, more).body.JSON['inputs'] as JsonObject[])[0] ?? {};
const propertiesOf = (event: JsonObject, more: JsonObject = {}) => inputOf(event, more)['properties'];
const OBJECTS = 'https://api.hubapi.com/crm/v3/objects';

describe('a HubSpot contact', () => {
  const identify = { type: 'identify', userId: 'u-1' };

  it('is looked up by the configured property', () => {
    const { headers, endpoint, method } = send({ ...identify, traits: { email: 'a@b.c' } });
    expect(headers).toEqual({ authorization: 'Bearer t', 'content-type': 'application/json' });
    expect([method, endpoint]).toEqual(['POST', `${OBJECTS}/contacts/batch/upsert`]);
    expect(inputOf({ ...identify, traits: { email: 'a@b.c' } })).toEqual({
      ...{ idProperty: 'email', id: 'a@b.c', properties: { email: 'a@b.c' } },
    });
  });

  it.each<[string, JsonObject, JsonObject]>([
    ['userId', {}, { idProperty: 'userId', id: 'u-1' }],
    ['uid', { traits: { uid: 7 } }, { idProperty: 'uid', id: '7' }],
    ['uid', { context: { traits: { uid: 'c' } } }, { idProperty: 'uid', id: 'c' }],
    ['uid', { properties: { uid: 'p' } }, { idProperty: 'uid', id: 'p' }],
    ['uid', { traits: { uid: '', email: 'a@b.c' } }, { idProperty: 'email', id: 'a@b.c' }],
  ])('by %s is found in %j', (lookupField, event, expected) => {
    expect(inputOf({ ...identify, ...event }, { lookupField })).toMatchObject(expected);
  });

  it('is updated under the id of HubSpot that the event names', () => {
    const event = { ...identify, context: { externalId: [{ type: 'hsContactId', id: '77' }], traits: { plan: 'p' } } };
    expect(send(event).endpoint).toBe(`${OBJECTS}/contacts/batch/update`);
    expect(inputOf(event)).toEqual({ id: '77', properties: { plan: 'p' } });
  });

  it.each([
    ...['email', 'phone'].map((name) => [name, [name]] as const),
    ['firstname', ['firstName', 'firstname', 'first_name']],
    ['lastname', ['lastName', 'lastname', 'last_name']],
    ['address', ['address.street']],
    ...['city', 'country', 'state'].map((name) => [name, [`address.${name}`]] as const),
    ['zip', ['address.postalcode']],
    ['company', ['company.name']],
  ] as const)('has the property %s from %j of each place', (property, names) => {
    for (const place of ['traits', 'context.traits', 'properties']) {
      for (const name of names) {
        const event = eventWith({ ...identify, context: {} }, `${place}.${name}`, 'v@w.x');
        expect(propertiesOf(event, { lookupField: 'userId' })).toMatchObject({ [property]: 'v@w.x' });
      }
    }
  });

  it.each<[string, JsonObject, JsonObject]>([
    ['names in lower case', { 'Plan Name': 'a', 'b.C': 1, '\tX  Y': 2 }, { plan_name: 'a', b_c: 1, _x_y: 2 }],
    ['the trait before the usual place', { firstName: null, first_name: 'Ada' }, { firstname: '', first_name: 'Ada' }],
    ['a trait once', { company: { name: 'Weir' } }, { company: 'Weir' }],
    ['a place without a street', { address: { city: 'Turin' } }, { address: { city: 'Turin' }, city: 'Turin' }],
    ['a place that is a text', { address: 'Way 1' }, { address: 'Way 1' }],
    ['null as a cleared property', { plan: null }, { plan: '' }],
    ['no id of HubSpot', { hs_object_id: 7 }, {}],
  ])('has %s', (_, traits, expected) => {
    expect(propertiesOf({ ...identify, traits }, { lookupField: 'userId' })).toEqual(expected);
  });

  it.each<[string, JsonObject, JsonObject]>([
    ['its own traits', { traits: { a: 1 }, context: { traits: { b: 2 } } }, { a: 1 }],
    ['those of the context', { context: { traits: { b: 2 } }, properties: { c: 3 } }, { b: 2 }],
    ['properties, when traits are empty', { traits: {}, properties: { c: 3 } }, { c: 3 }],
    ['none', { properties: 'none' }, {}],
    ['none at all', {}, {}],
  ])('takes %s', (_, event, expected) => {
    expect(propertiesOf({ ...identify, ...event }, { lookupField: 'userId' })).toEqual(expected);
  });

  it('has traits under other names, as configured', () => {
    const contactProperties = [
      { from: 'plan.tier', to: 'plan_name' },
      { from: 'absent', to: 'absent' },
    ];
    const traits = { email: 'a@b.c', plan: { tier: 'pro' } };
    expect(propertiesOf({ ...identify, traits }, { contactProperties })).toMatchObject({ plan_name: 'pro' });
    expect(propertiesOf({ ...identify, traits }, { contactProperties })).not.toHaveProperty('absent');
  });

  it.each<[JsonObject, JsonObject, string]>([
    [{ email: 'nobody' }, {}, 'traits.email must be an e-mail address'],
    [{ email: 7 }, {}, 'traits.email must be an e-mail address'],
    [{ email: 'a@b.c' }, { lookupField: '' }, 'lookupField is required'],
    [{ plan: 'pro' }, { lookupField: 'uid' }, 'the event has neither uid nor an email'],
    [{ email: 'a@b.c' }, { authorizationType: 'legacyApiKey', apiKey: 'k' }, 'HubSpot has ended API keys'],
    [{ email: 'a@b.c' }, { accessToken: '' }, 'accessToken is required'],
    [{ plan: 'pro' }, { apiVersion: 'legacyApi' }, 'traits.email is required'],
    [{ email: 'nobody' }, { apiVersion: 'legacyApi' }, 'traits.email must be an e-mail address'],
  ])('with %j and %j is refused', (traits, more, message) => {
    expect(() => send({ ...identify, traits }, more)).toThrow(message);
  });

  it.each(['legacyApi', '', undefined])('of the older API (%j) is known by its e-mail', (apiVersion) => {
    const context = { traits: { email: 'a@b.c', plan: 'pro', age: null } };
    const payload = send({ ...identify, context }, { apiVersion });
    expect(payload.endpoint).toBe('https://api.hubapi.com/contacts/v1/contact/batch/');
    expect(itemsOf(payload)).toEqual([
      {
        email: 'a@b.c',
        properties: [
          { property: 'plan', value: 'pro' },
          { property: 'age', value: '' },
        ],
      },
    ]);
  });
});

describe('a record that a source maps to an object of HubSpot', () => {
  const mapped = (identifier: JsonObject | undefined, traits: JsonObject = { Name: 'Weir', hs_object_id: 1 }) => ({
    ...{ type: 'identify', traits },
    context: { mappedToDestination: 'true', ...(identifier && { externalId: [identifier] }) },
  });
  const company = { type: 'HS-companies', identifierType: 'domain', id: 'weir.example' };

  it('keeps the names and values of the source', () => {
    const { endpoint, params } = send(mapped(company));
    expect([endpoint, params]).toEqual([`${OBJECTS}/companies/batch/upsert`, { mapped: true }]);
    expect(inputOf(mapped(company))).toEqual({
      ...{ id: 'weir.example', idProperty: 'domain', properties: { Name: 'Weir' } },
    });
    expect(inputOf({ ...mapped(company), traits: undefined })['properties']).toEqual({});
  });

  const association = {
    ...{ type: 'HS-association', associationTypeId: 'engineer' },
    ...{ fromObjectType: 'companies', toObjectType: 'contacts' },
  };

  it('may be an association', () => {
    const payload = send(mapped(association, { from: { id: 9 }, to: { id: '1' } }));
    expect(payload.endpoint).toBe('https://api.hubapi.com/crm/v3/associations/companies/contacts/batch/create');
    expect(payload.body.JSON).toEqual({ inputs: [{ from: { id: 9 }, to: { id: '1' }, type: 'engineer' }] });
  });

  it.each<[string, JsonObject | undefined, JsonObject, string]>([
    ['an external id', undefined, {}, 'must name the type of the object'],
    ['a type', { ...company, type: 'HS-' }, {}, 'must name the type of the object'],
    ['an id', { ...company, id: '' }, {}, 'must have an id'],
    ['an identifier', { ...company, identifierType: null }, {}, 'must have an identifierType'],
    ['an address that is one', company, { email: 'nobody' }, 'must be an e-mail address'],
    ['an address of an end that is one', association, { email: 'nobody' }, 'must be an e-mail address'],
    ['one end', { ...association, fromObjectType: '' }, { from: { id: 9 } }, 'an association needs fromObjectType'],
    ['a member', association, { from: { id: 9 } }, 'an association needs traits.to.id'],
    [
      'a kind of association',
      { ...association, associationTypeId: {} },
      { from: { id: 9 }, to: { id: 1 } },
      'associationTypeId',
    ],
  ])('is refused without %s', (_, identifier, traits, message) => {
    expect(() => send(mapped(identifier, traits))).toThrow(message);
  });
});

describe('a HubSpot event', () => {
  const eventProperties = [
    { from: 'total', to: 'amount' },
    { from: 'shop.name', to: 'shop' },
  ];
  const hubspotEvents = [
    { rsEventName: ' Order PAID', hubspotEventName: ' ' },
    { rsEventName: 'order paid ', hubspotEventName: ' pe1_paid ', eventProperties },
  ];
  const track = {
    type: 'track',
    event: ' Order Paid',
    properties: { utk: 'k', total: 5, more: 1, shop: { name: 'S' } },
  };
  const bodyOf = (event: JsonObject, more: JsonObject = {}) => send(event, { hubspotEvents, ...more }).body.JSON;

  it('is the configured one with its properties', () => {
    expect(send(track, { hubspotEvents }).endpoint).toBe('https://api.hubapi.com/events/v3/send');
    expect(bodyOf(track)).toEqual({
      ...{ eventName: 'pe1_paid', utk: 'k', occurredAt: ada.timestamp, properties: { amount: 5, shop: 'S' } },
    });
  });

  it.each<[string, string[]]>([
    ['utk', ['traits.utk', 'context.traits.utk', 'properties.utk']],
    ['email', ['traits.email', 'context.traits.email', 'properties.email']],
    ['objectId', ['traits.objectId', 'context.traits.objectId', 'properties.objectId']],
    ['properties.hs_asset_description', ['properties.assetDescription', 'properties.hsAssetDescription']],
    ['properties.hs_asset_type', ['properties.assetType', 'properties.hsAssetType']],
    ['properties.hs_campaign_id', ['properties.campaignId']],
    ['properties.hs_city', ['traits.address.city', 'context.traits.address.city', 'properties.address.city']],
    [
      'properties.hs_country',
      ['traits.address.country', 'context.traits.address.country', 'properties.address.country'],
    ],
    ['properties.hs_device_name', ['context.device.name']],
    ['properties.hs_element_class', ['properties.elementClass', 'properties.hsElementClass']],
    ['properties.hs_element_id', ['properties.elementId', 'properties.hsElementId']],
  ])('has %s from each of %j', (key, paths) => {
    for (const path of paths) {
      expect(bodyOf(eventWith({ ...track, context: {} }, path, 'v'))).toHaveProperty(key, 'v');
    }
  });

  it('may be of the first external id', () => {
    const event = { ...track, properties: {}, context: { externalId: [{ type: 'any', id: 'a@b.c' }] } };
    expect(bodyOf(event)).toMatchObject({ email: 'a@b.c' });
  });

  it.each<[string, JsonObject, unknown]>([
    [
      'its own time',
      { properties: { utk: 'k', occurred_at: '2026-01-01T01:00:00+01:00' } },
      '2026-01-01T01:00:00+01:00',
    ],
    ['a time in seconds', { properties: { utk: 'k', occurred_at: '1772600767' } }, '2026-03-04T05:06:07.000Z'],
    ['the time of the sender', { timestamp: null, originalTimestamp: '2026-01-01' }, '2026-01-01'],
    ['no time', { timestamp: 'soon' }, undefined],
  ])('has %s', (_, event, expected) => {
    expect(bodyOf({ ...track, ...event })['occurredAt']).toBe(expected);
  });

  it.each<[string, JsonObject, JsonObject[], JsonObject]>([
    ['leaves blank values out', { total: ' ', shop: { name: null } }, eventProperties, {}],
    ['keeps zero and false', { total: 0, shop: { name: false } }, eventProperties, { amount: 0, shop: false }],
    ['reads a property once', { total: 1 }, [...eventProperties, { from: 'total', to: 'sum' }], { sum: 1 }],
    ['reads names in their case', { Total: 1 }, eventProperties, {}],
    [
      'prefers what HubSpot defines',
      { campaignId: 1, total: 2 },
      [{ from: 'total', to: 'hs_campaign_id' }],
      { hs_campaign_id: 1 },
    ],
  ])('%s', (_, properties, pairs, expected) => {
    const events = [{ rsEventName: 'Order Paid', hubspotEventName: 'pe1', eventProperties: pairs }];
    const body = bodyOf({ ...track, properties: { utk: 'k', ...properties } }, { hubspotEvents: events });
    expect(body['properties']).toEqual(expected);
  });

  it.each<[JsonObject, JsonObject, string]>([
    [{ event: '' }, { hubspotEvents: null }, 'Event name is required'],
    [{ event: 7 }, { hubspotEvents: null }, 'hubspotEvents is required'],
    [{ event: 7 }, {}, 'Event name must be a text'],
    [{ event: 'order_paid' }, {}, 'hubspotEvents has no event for order_paid'],
    [{ properties: {} }, {}, 'the event needs an email, a utk or an objectId'],
    [{ properties: { email: {} } }, {}, 'the event needs an email, a utk or an objectId'],
    [{ type: 'page' }, {}, 'Event type page is not supported'],
    [{}, { apiVersion: '' }, 'hubID is required'],
    [{ event: '' }, { apiVersion: '', hubID: 7 }, 'Event name is required'],
  ])('is refused: %j with %j', (changes, more, message) => {
    expect(() => send({ ...track, ...changes }, { hubspotEvents, ...more })).toThrow(message);
  });

  it('of the older API is a query with the properties of its contact', () => {
    const context = { externalId: [{ type: 'hubspotId', id: 'h' }], traits: { email: 'a@b.c', Plan: 'pro' } };
    const { method, endpoint, params } = send({ ...track, context }, { apiVersion: 'legacyApi', hubID: 7 });
    expect([method, endpoint]).toEqual(['GET', 'https://track.hubspot.com/v1/event']);
    expect(params).toEqual({ _a: '7', _n: ' Order Paid', _m: 5, id: 'h', email: 'a@b.c', plan: 'pro' });
  });

  it.each<[JsonObject, unknown]>([
    [{ revenue: 1, value: 2, total: 3 }, 1],
    [{ revenue: 0, value: 2, total: 3 }, 2],
    [{ total: '3' }, '3'],
    [{ total: {} }, undefined],
  ])('of the older API has the value of %j', (properties, expected) => {
    expect(send({ ...track, properties }, { apiVersion: 'legacyApi', hubID: 7 }).params['_m']).toBe(expected);
  });
});
