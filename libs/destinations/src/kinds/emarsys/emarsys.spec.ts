import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { answering } from '../../../test/answering.fixtures.js';
import { ada } from '../../../test/events.fixtures.js';
import { withValues } from '../../../test/sources.fixtures.js';
import type { Outbound, OutboundRequest } from '../../kind.js';
import emarsys from './emarsys.js';

const config = {
  ...{ emersysUsername: 'shop001', emersysUserSecret: 'hush', defaultContactList: '70' },
  eventsMapping: [{ from: 'Basket Left', to: '501' }],
  fieldMapping: [
    { rudderProperty: 'email', emersysProperty: '3' },
    { rudderProperty: 'firstName', emersysProperty: 1 },
    { rudderProperty: 'plan', emersysProperty: '4711' },
    { rudderProperty: 'userId', emersysProperty: '4712' },
  ],
};
const person = { ...ada, context: { traits: { email: 'ada@example.com', firstName: 'Ada', plan: 'pro' } } };
const send = (values: JsonObject, settings: JsonObject = {}) =>
  emarsys.transform(withValues(person, values), { ...config, ...settings });
const callOf = (values: JsonObject, settings: JsonObject = {}) =>
  send(values, settings).map(({ method, endpoint, body }) => [
    `${method} ${endpoint.replace('https://api.emarsys.net/api/v2/', '')}`,
    body.JSON,
  ])[0];
const bodyOf = (values: JsonObject, settings: JsonObject = {}) => callOf(values, settings)?.[1] as JsonObject;
const identify = { type: 'identify' };
const group = { type: 'group' };
const track = { type: 'track', event: 'Basket Left' };
const options = (given: JsonObject) => ({ 'integrations.Emarsys': given });
const contactOf = (values: JsonObject, settings: JsonObject = {}) =>
  (bodyOf({ ...identify, ...values }, settings)['contacts'] as JsonObject[])[0];

describe('a contact at Emarsys', () => {
  it('is added or updated, with the mapped traits', () => {
    const contact = { 1: 'Ada', 3: 'ada@example.com', 4711: 'pro', 4712: 'ada' };
    expect(callOf(identify)).toEqual([
      'PUT contact/?create_if_not_exists=1',
      { key_id: 3, contacts: [contact], contact_list_id: '70' },
    ]);
    expect(bodyOf(identify, { defaultContactList: '', fieldMapping: [] })).toEqual({
      ...{ key_id: 3, contacts: [{ 3: 'ada@example.com' }] },
    });
  });

  it('has no secrets in a request before it is sent', () => {
    expect(JSON.stringify(send(identify))).not.toMatch(/hush|shop001|wsse/i);
  });

  it.each<[JsonObject, JsonObject, unknown, unknown]>([
    [{}, { emersysCustomIdentifier: ' 4711 ' }, '4711', 'pro'],
    [{}, { emersysCustomIdentifier: '4712' }, '4712', 'ada'],
    [options({ customIdentifierId: 1 }), { emersysCustomIdentifier: '4711' }, '1', 'Ada'],
    [{ 'traits.email': 'own@example.com' }, {}, 3, 'own@example.com'],
  ])('with %j and %j is known by the field %j, %j', (values, settings, key_id, value) => {
    expect(bodyOf({ ...group, ...values }, settings)).toEqual({ key_id, external_ids: [value] });
    expect(bodyOf({ ...track, ...values }, settings)).toMatchObject({ key_id, external_id: value });
    expect(bodyOf({ ...identify, ...values }, settings)).toMatchObject({
      key_id,
      contacts: [{ [String(key_id)]: value }],
    });
  });

  it('keeps or clears fields whose traits are empty', () => {
    const emptied = { 'context.traits.plan': '', 'context.traits.firstName': null };
    expect(contactOf(emptied)).toEqual({ 1: null, 3: 'ada@example.com', 4711: '', 4712: 'ada' });
    expect(contactOf(emptied, { discardEmptyProperties: true })).toEqual({ 3: 'ada@example.com', 4712: 'ada' });
  });

  it.each([
    ['context.traits.plan', ['a', 7], true],
    ['context.traits.plan', false, true],
    ['context.traits.plan', [], false],
    ['context.traits.plan', { of: 'pro' }, false],
    ['context.traits.plan', [{}], false],
  ])('with %s %j has the field: %j', (path, value, isField) => {
    expect('4711' in (contactOf({ [path]: value }) ?? {})).toBe(isField);
  });
});

describe('a list of Emarsys', () => {
  it('gets the contact of a group event', () => {
    expect(callOf(group)).toEqual(['POST contactlist/70/add', { key_id: 3, external_ids: ['ada@example.com'] }]);
    expect(callOf({ ...group, ...options({ contactListId: 71 }) })?.[0]).toBe('POST contactlist/71/add');
    expect(bodyOf({ ...identify, ...options({ contactListId: 71 }) })).toMatchObject({ contact_list_id: '71' });
  });
});

describe('an external event of Emarsys', () => {
  it('is that of the configured name', () => {
    expect(callOf({ ...track, event: ' basket left' })).toEqual([
      'POST event/501/trigger',
      { key_id: 3, external_id: 'ada@example.com', event_time: '2026-03-04T05:06:07.890Z' },
    ]);
  });

  it('has data, attachments and the id of a trigger', () => {
    const properties = { data: { items: [{ sku: 's-1' }] }, attachment: [{ filename: 'a.pdf' }], colour: 'red' };
    expect(bodyOf({ ...track, ...options({ trigger_id: 9 }), properties, timestamp: null })).toEqual({
      ...{ key_id: 3, external_id: 'ada@example.com', trigger_id: '9' },
      ...{ data: properties.data, attachment: properties.attachment },
    });
  });
});

describe('Emarsys refuses', () => {
  it.each<[JsonObject, JsonObject, string]>([
    [{ type: 'page' }, {}, 'Event type page is not supported'],
    [{ ...identify, 'context.traits.email': '' }, {}, 'knows its contacts by email, which the event does not give'],
    [{ ...group, 'context.traits.email': { of: 'ada' } }, {}, 'knows its contacts by email'],
    [identify, { emersysCustomIdentifier: '99' }, 'fieldMapping has no property for field 99'],
    [group, { defaultContactList: '' }, 'defaultContactList is required'],
    [{ ...track, event: 'Basket Kept' }, {}, 'eventsMapping has no external event'],
    [{ ...track, event: '' }, {}, 'Event name is required'],
    [identify, { emersysUsername: '' }, 'emersysUsername is required'],
    [identify, { emersysUserSecret: '' }, 'emersysUserSecret is required'],
  ])('%j with %j', (values, settings, message) => {
    expect(() => send(values, settings)).toThrow(message);
  });
});

describe('the delivery to Emarsys', () => {
  const deliver = async (body: unknown, status = 200, requests: OutboundRequest[] = []) => {
    const [payload] = send(identify);
    if (!payload) throw new Error('no payload');
    return emarsys.deliver?.(payload, config, answering(status, body, requests), {});
  };

  it('signs each request', async () => {
    const requests: OutboundRequest[] = [];
    for (const _ of [1, 2]) await deliver({ replyCode: 0 }, 200, requests);
    const headers = requests.map((request) => request.headers['x-wsse'] ?? '');
    expect(new Set(headers).size).toBe(2);
    const [, user, digest, nonce, created] =
      /^UsernameToken Username="(.+)", PasswordDigest="(.+)", Nonce="(.+)", Created="(.+)"$/.exec(headers[0] ?? '') ??
      [];
    const expected = createHash('sha1').update(`${nonce}${created}hush`).digest('hex');
    expect([user, digest]).toEqual(['shop001', Buffer.from(expected).toString('base64')]);
  });

  it.each<[number, unknown, number]>([
    [200, { replyCode: 0, data: { ids: ['1'], errors: [] } }, 200],
    [200, { data: { errors: { 'ada@example.com': { 2010: 'Several contacts' } } } }, 400],
    [401, {}, 401],
  ])('that is answered with %i %j means %i', async (status, body, meant) => {
    expect(await deliver(body, status)).toEqual({ status: meant, response: body });
  });

  it('shows no signature that the answer repeats', async () => {
    const [payload] = send(identify);
    const outbound: Outbound = {
      ...answering(200, {}),
      request: async (request) => answering(200, { error: `you sent ${request.headers['x-wsse']}` }).request(request),
    };
    const result = payload && (await emarsys.deliver?.(payload, config, outbound, {}));
    expect(result?.response).toEqual({
      error: 'you sent UsernameToken Username="shop001", PasswordDigest="***", Nonce="***", Created="***"',
    });
  });

  it('in one request loses only the contacts that Emarsys names', () => {
    const rule = emarsys.batch?.(config);
    const bob = { 'context.traits.email': 'bob@example.com' };
    const errors = { 'bob@example.com': { 2008: 'No contact found' } };
    for (const type of [identify, group]) {
      const payloads = [...send(type), ...send({ ...type, ...bob })];
      expect(new Set(payloads.map((payload) => rule?.keyOf(payload))).size).toBe(1);
      expect(rule?.outcomes?.({ status: 400, response: { data: { errors } } }, payloads)).toEqual([
        { status: 200 },
        { status: 400, response: { 2008: 'No contact found' } },
      ]);
      expect(rule?.outcomes?.({ status: 200, response: { data: { errors: [] } } }, payloads)).toBeUndefined();
    }
    const dotted = {
      fieldMapping: [{ rudderProperty: 'email', emersysProperty: '4.7' }],
      emersysCustomIdentifier: '4.7',
    };
    const pair = [...send(identify, dotted), ...send({ ...identify, ...bob }, dotted)];
    expect(rule?.outcomes?.({ status: 400, response: { data: { errors } } }, pair)).toEqual([
      { status: 200 },
      { status: 400, response: { 2008: 'No contact found' } },
    ]);
    // Emarsys may write a key in another way than it was sent. Nobody knows then whose error it is.
    const unknown = { ...errors, 'Ada@Example.com': { 2005: 'Invalid' } };
    const both = [...send(identify), ...send({ ...identify, ...bob })];
    expect(rule?.outcomes?.({ status: 400, response: { data: { errors: unknown } } }, both)).toBeUndefined();
    const keys = [send(identify), send(group), send(track), send({ ...identify, ...options({ contactListId: 9 }) })];
    expect(new Set(keys.map(([payload]) => payload && rule?.keyOf(payload))).size).toBe(4);
  });
});
