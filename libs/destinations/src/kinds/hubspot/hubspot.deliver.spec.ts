import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada } from '../../../test/events.fixtures.js';
import { type Contact, HubSpot } from '../../../test/hubspot.fixtures.js';
import { sessionOf } from '../../delivery/batch-session.js';
import { hubspotDeliver } from './hubspot.deliver.js';
import hubspot from './hubspot.js';

const text = (name: string, more: JsonObject = {}) => ({ name, type: 'string', ...more });
const PROPERTIES = [
  ...[text('email'), text('firstname'), text('company'), text('user_id', { hasUniqueValue: true })],
  ...[text('nickname'), text('secret_code')],
  ...[
    { name: 'age', type: 'number' },
    { name: 'is_member', type: 'bool' },
    { name: 'born', type: 'date' },
    { name: 'plan', type: 'enumeration' },
  ],
];
const SEARCH = '/crm/v3/objects/contacts/search';
const write = (operation: string) => `POST /crm/v3/objects/contacts/batch/${operation}`;

let accounts = 0;
/** Delivers events in one batch to an account that Weir has not seen before. */
async function deliver(events: readonly JsonObject[], more: JsonObject = {}, account = new HubSpot(PROPERTIES)) {
  const token = `t-${accounts++}`;
  const config = { ...{ accessToken: token, apiVersion: 'newApi', lookupField: 'email', hubID: '1' }, ...more };
  const payloads = events.flatMap((event) => hubspot.transform({ ...ada, ...event }, config));
  const session = sessionOf(hubspot, config, account.outbound)?.session;
  const items = payloads.map((payload, index) => ({ payload, idempotencyKey: String(index) }));
  const results = (await session?.deliver(items)) ?? [];
  const sent = account.sent.filter(({ name }) => !name.startsWith('GET /crm/v3/properties'));
  return { results, statuses: results.map(({ status }) => status), sent, names: sent.map(({ name }) => name), account };
}
const contact = (traits: JsonObject, more: JsonObject = {}) => ({ type: 'identify', traits, ...more });
const known = (...list: [id: string, properties: JsonObject][]): Contact[] =>
  list.map(([id, properties]) => ({ id, properties }));
const inputsOf = (sent: { body: JsonObject }[], index: number) => sent[index]?.body['inputs'] as JsonObject[];

describe('a contact on its way to HubSpot', () => {
  it('is created when nobody has the property by which it is looked up', async () => {
    const { sent, names, statuses } = await deliver([contact({ email: 'A@b.c', nickname: 'Al' })]);
    expect(names).toEqual([`POST ${SEARCH}`, write('create')]);
    expect(sent[0]?.body).toEqual({
      filterGroups: [
        { filters: [{ propertyName: 'email', operator: 'IN', values: ['a@b.c'] }] },
        { filters: [{ propertyName: 'hs_additional_emails', operator: 'IN', values: ['a@b.c'] }] },
      ],
      ...{ properties: ['email', 'hs_additional_emails'], limit: 100 },
    });
    expect(inputsOf(sent, 1)).toEqual([{ objectWriteTraceId: '0', properties: { email: 'A@b.c', nickname: 'Al' } }]);
    expect(statuses).toEqual([201]);
  });

  it('is updated when the search finds one', async () => {
    const account = new HubSpot(PROPERTIES, known(['7', { nickname: 'Al' }]));
    const { sent, names } = await deliver(
      [contact({ email: 'a@b.c', nickname: 'AL' })],
      { lookupField: 'nickname' },
      account,
    );
    expect(names).toEqual([`POST ${SEARCH}`, write('update')]);
    expect(inputsOf(sent, 1)).toMatchObject([{ id: '7', properties: { email: 'a@b.c', nickname: 'AL' } }]);
  });

  it('found by a former address keeps the present one', async () => {
    const account = new HubSpot(PROPERTIES, known(['7', { email: 'new@b.c', hs_additional_emails: 'x@b.c;a@b.c' }]));
    const { sent } = await deliver([contact({ email: 'a@b.c', firstName: 'Al' })], {}, account);
    expect(inputsOf(sent, 1)).toMatchObject([{ id: '7', properties: { firstname: 'Al' } }]);
    expect(inputsOf(sent, 1)[0]?.['properties']).not.toHaveProperty('email');
  });

  it('is the one that HubSpot finds for a value, in whatever form it keeps the value', async () => {
    const account = new HubSpot(PROPERTIES, known(['7', { nickname: 'Al' }]));
    const search = account.outbound.request;
    account.outbound.request = async (request) => {
      const answer = await search(request);
      return { ...answer, body: Buffer.from(answer.body.toString().replace('"Al"', '"A L"')) };
    };
    const { names } = await deliver([contact({ nickname: 'Al' })], { lookupField: 'nickname' }, account);
    expect(names).toEqual([`POST ${SEARCH}`, write('update')]);
  });

  it('is refused when several have the value', async () => {
    const account = new HubSpot(PROPERTIES, known(['7', { nickname: 'Al' }], ['8', { nickname: 'al' }]));
    const { results, names } = await deliver([contact({ nickname: 'Al' })], { lookupField: 'nickname' }, account);
    expect(results).toEqual([{ status: 400, response: 'nickname Al is ambiguous: several contacts have it' }]);
    expect(names).toEqual([`POST ${SEARCH}`]);
  });

  it('is upserted without a search by a property that is unique', async () => {
    const { sent, names } = await deliver([contact({ user_id: 7 })], { lookupField: 'user_id' });
    expect(names).toEqual([write('upsert')]);
    expect(inputsOf(sent, 0)).toEqual([
      { id: '7', idProperty: 'user_id', objectWriteTraceId: '0', properties: { user_id: '7' } },
    ]);
  });

  it('is updated without a search under an id of HubSpot', async () => {
    const context = { externalId: [{ type: 'hsContactId', id: 7 }] };
    const account = new HubSpot(PROPERTIES, known(['7', {}]));
    const { sent, names } = await deliver([contact({ plan: 'pro' }, { context })], {}, account);
    expect(names).toEqual([write('update')]);
    expect(inputsOf(sent, 0)).toEqual([{ id: '7', objectWriteTraceId: '0', properties: { plan: 'pro' } }]);
  });

  it.each([{}, { lookupField: 'user_id' }])('is refused when HubSpot writes no record: %j', async (more) => {
    const account = new HubSpot(PROPERTIES);
    account.isSilent = true;
    const people = ['a@b.c', 'd@e.f'].map((email, index) => contact({ email, user_id: String(index) }));
    const { results } = await deliver(people, more, account);
    expect(results).toEqual(people.map(() => ({ status: 400, response: 'no record was written' })));
  });

  it.each([401, 429, 503])('waits when the properties or the search are answered with %i', async (status) => {
    for (const name of ['GET /crm/v3/properties/contacts', `POST ${SEARCH}`]) {
      const account = new HubSpot(PROPERTIES);
      account.failing[name] = status;
      const { results } = await deliver([contact({ email: 'a@b.c' }), contact({ email: 'd@e.f' })], {}, account);
      expect(results).toMatchObject([{ status }, { status }]);
      expect(results[0]?.retryAfterMs).toBe(status === 429 ? 7_000 : undefined);
    }
  });
});

describe('properties of a contact', () => {
  const sentOf = async (traits: JsonObject) => {
    const { sent } = await deliver([contact({ email: 'a@b.c', ...traits })]);
    return inputsOf(sent, 1)[0]?.['properties'];
  };

  it.each<[string, JsonObject, JsonObject]>([
    ['text of an object', { nickname: { a: [1] } }, { nickname: '{"a":[1]}' }],
    ['text of a number', { nickname: 7 }, { nickname: '7' }],
    ['a cleared text', { nickname: null }, { nickname: '' }],
    ['a name with blanks and dots', { 'Secret  Code': 'x', 'is.member': true }, { secret_code: 'x', is_member: true }],
    ['a number', { age: 36.5 }, { age: 36.5 }],
    ['a date of a text', { born: '1990-05-06T23:00:00Z' }, { born: Date.UTC(1990, 4, 6) }],
    ['a date before 1973', { born: 3_600_000 }, { born: 0 }],
    ['a date that is none', { born: 'soon' }, { born: 'soon' }],
    ['a choice', { plan: 'pro' }, { plan: 'pro' }],
  ])('have the type of the account: %s', async (_, traits, expected) => {
    expect(await sentOf(traits)).toEqual({ email: 'a@b.c', ...expected });
  });

  it('that the account does not have are left out, except for those that all accounts have', async () => {
    expect(await sentOf({ unheard: 'of', lastName: 'K', phone: 7, company: { name: 'W' } })).toEqual({
      ...{ email: 'a@b.c', lastname: 'K', phone: '7', company: 'W' },
    });
  });

  it.each<[JsonObject, string]>([
    [{ age: '36' }, 'age must be a number, as its property is'],
    [{ age: null }, 'age must be a number, as its property is'],
    [{ is_member: {} }, 'is_member must be true or false'],
    [{ is_member: [true] }, 'is_member must be true or false'],
  ])('of a wrong type refuse this contact alone: %j', async (traits, response) => {
    const { results, names } = await deliver([contact({ email: 'a@b.c', ...traits }), contact({ email: 'd@e.f' })]);
    expect(results).toMatchObject([{ status: 400, response }, { status: 201 }]);
    expect(names).toEqual([`POST ${SEARCH}`, write('create')]);
  });
});

describe('what the account defines', () => {
  afterEach(() => void jest.useRealTimers());

  it('is asked once in a day, and again in a minute for a property that is looked up', async () => {
    jest.useFakeTimers({ now: 1e12, doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    const account = new HubSpot(PROPERTIES.filter(({ name }) => name !== 'user_id'));
    const config = { ...{ accessToken: 'own', apiVersion: 'newApi', lookupField: 'user_id' } };
    const asked = async () => {
      const [payload] = hubspot.transform(contact({ user_id: 'u' }), config);
      if (payload) await hubspotDeliver(payload, config, account.outbound, {});
      return account.names.filter((name) => name.startsWith('GET')).length;
    };
    expect(await asked()).toBe(1);
    expect(await asked()).toBe(1);
    account.properties.push(...PROPERTIES);
    jest.setSystemTime(1e12 + 61_000);
    expect(await asked()).toBe(2);
    expect(account.names.at(-1)).toBe(write('upsert'));
    jest.setSystemTime(1e12 + 200_000);
    expect(await asked()).toBe(2);
  });
});

describe('several contacts in one request', () => {
  it('hold a hundred each, of which the search finds some', async () => {
    const people = Array.from({ length: 250 }, (_, index) => `p${index}@b.c`);
    const account = new HubSpot(
      PROPERTIES,
      people.slice(0, 120).map((email, id) => ({ id: String(id), properties: { email } })),
    );
    const { statuses, sent, names } = await deliver(
      people.map((email) => contact({ email })),
      {},
      account,
    );
    expect(new Set(statuses)).toEqual(new Set([200, 201]));
    const all = [...sent.keys()]
      .filter((index) => names[index] !== `POST ${SEARCH}`)
      .flatMap((index) => inputsOf(sent, index));
    expect(new Set(all.map(({ properties }) => (properties as JsonObject)['email']))).toEqual(new Set(people));
    expect(names).toHaveLength(7);
  });

  it.each(['email', 'user_id'])('join the events of one contact by %s, and the later one wins', async (lookupField) => {
    const events = [
      contact({ email: 'a@b.c', user_id: 'u', plan: 'free', nickname: 'Al' }),
      contact({ email: 'A@b.c', user_id: 'u', plan: 'pro' }),
    ];
    const { sent, statuses } = await deliver(events, { lookupField });
    expect(sent.flatMap(({ body }) => body['inputs'] ?? [])).toMatchObject([
      { properties: { email: 'A@b.c', plan: 'pro', nickname: 'Al' } },
    ]);
    expect(statuses[0]).toBe(statuses[1]);
  });

  it('lose only the one that HubSpot refuses', async () => {
    const events = ['first', 'refused', 'last'].map((nickname) => contact({ user_id: nickname, nickname }));
    const { statuses, names } = await deliver(events, { lookupField: 'user_id' });
    expect(statuses).toEqual([200, 400, 200]);
    expect(names).toEqual(Array.from({ length: 4 }, () => write('upsert')));
  });

  it('lose only those that a response names', async () => {
    const of = (id: string) => contact({ plan: 'pro' }, { context: { externalId: [{ type: 'hsContactId', id }] } });
    const account = new HubSpot(PROPERTIES, known(['1', {}], ['3', {}]));
    const { statuses, names } = await deliver([of('1'), of('2'), of('3')], {}, account);
    expect(statuses).toEqual([200, 400, 200]);
    expect(names).toHaveLength(1);
    expect((await deliver([of('2')], {}, account)).statuses).toEqual([400]);
  });

  it('wait together when HubSpot is busy, apart from those that are refused', async () => {
    const account = new HubSpot(PROPERTIES);
    account.failing[write('create')] = 429;
    const events = [contact({ email: 'a@b.c', age: 'x' }), contact({ email: 'd@e.f' }), contact({ email: 'g@h.i' })];
    const { results } = await deliver(events, {}, account);
    expect(results).toMatchObject([
      { status: 400 },
      { status: 429, retryAfterMs: 7_000 },
      { status: 429, retryAfterMs: 7_000 },
    ]);
  });
});

describe('a record of a reverse ETL source', () => {
  const mapped = (traits: JsonObject, identifier: JsonObject = {}) =>
    contact(traits, {
      context: {
        mappedToDestination: true,
        externalId: [{ type: 'HS-contacts', identifierType: 'email', id: 'A@b.c', ...identifier }],
      },
    });

  it('is upserted by a unique property, with the properties as they are', async () => {
    const record = mapped({ age: 36, born: '1990-05-06' }, { identifierType: 'user_id', id: 7 });
    const { sent, names } = await deliver([record]);
    expect(names).toEqual([write('upsert')]);
    expect(inputsOf(sent, 0)).toMatchObject([
      { id: '7', idProperty: 'user_id', properties: { age: 36, born: Date.UTC(1990, 4, 6) } },
    ]);
  });

  it.each<[string, Contact[], string, JsonObject]>([
    ['nobody', [], 'create', { properties: { plan: 'pro', email: 'A@b.c' } }],
    ['one', known(['7', { email: 'a@b.c' }]), 'update', { id: '7', properties: { plan: 'pro' } }],
    [
      'one by a former address',
      known(['7', { email: 'n@b.c', hs_additional_emails: 'a@b.c' }]),
      'update',
      { id: '7', properties: { plan: 'pro' } },
    ],
    ['several', known(['7', { email: 'a@b.c' }], ['8', { email: 'a@b.c' }]), 'update', { id: '7' }],
  ])('is written when the search finds %s', async (_, contacts, operation, expected) => {
    const { sent, names } = await deliver([mapped({ plan: 'pro' })], {}, new HubSpot(PROPERTIES, contacts));
    expect(names).toEqual([`POST ${SEARCH}`, write(operation)]);
    expect(inputsOf(sent, 1)).toMatchObject([expected]);
    if (expected['properties']) expect(inputsOf(sent, 1)[0]?.['properties']).toEqual(expected['properties']);
  });

  it('is found on a later page', async () => {
    const others = Array.from({ length: 120 }, (_, id) => ({ id: `x${id}`, properties: { email: 'd@e.f' } }));
    const account = new HubSpot(PROPERTIES, [...others, ...known(['7', { email: 'a@b.c' }])]);
    const { sent } = await deliver([mapped({}), mapped({}, { id: 'd@e.f' })], {}, account);
    expect(inputsOf(sent, 2)).toMatchObject([{ id: '7' }, { id: 'x0' }]);
  });
});

describe('the older API', () => {
  const old = { apiVersion: 'legacyApi' };

  it('takes contacts by e-mail, without those of a wrong type', async () => {
    const { sent, statuses, names } = await deliver(
      [contact({ email: 'a@b.c', plan: 'pro', unheard: 1 }), contact({ email: 'd@e.f', age: 'x' })],
      old,
    );
    expect(names).toEqual(['POST /contacts/v1/contact/batch/']);
    expect(sent[0]?.body).toEqual([{ email: 'a@b.c', properties: [{ property: 'plan', value: 'pro' }] }]);
    expect(statuses).toEqual([202, 400]);
    expect((await deliver([contact({ email: 'd@e.f', age: 'x' })], old)).names).toEqual([]);
  });

  it('takes an event as a query', async () => {
    const event = {
      type: 'track',
      event: 'Paid',
      properties: { value: 5 },
      context: { traits: { plan: 'pro', no: 1 } },
    };
    expect((await deliver([event], old)).names).toEqual(['GET /v1/event?plan=pro&_a=1&_n=Paid&_m=5']);
    const wrong = { ...event, context: { traits: { age: 'x' } } };
    expect(await deliver([wrong], old)).toMatchObject({ statuses: [400], names: [] });
  });
});

it('events and associations need no look-up', async () => {
  const hubspotEvents = [{ rsEventName: 'Paid', hubspotEventName: 'pe1_paid' }];
  const event = { type: 'track', event: 'Paid', properties: { email: 'a@b.c' } };
  const { account, names } = await deliver([event, event], { hubspotEvents });
  expect(account.names).toEqual(names);
  expect(names).toEqual(['POST /events/v3/send/batch']);
});
