import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada } from '../../../test/events.fixtures.js';
import { md5 } from '../../toolkit/index.js';
import mailchimp from './mailchimp.js';

const config = { apiKey: 'k', audienceId: 'a 1', datacenterId: 'us6' };
const hash = md5('ada@example.com');
const member = `https://us6.api.mailchimp.com/3.0/lists/a%201/members/${hash}`;
const identify = (traits: JsonObject, more: JsonObject = {}) => ({
  ...{ ...ada, type: 'identify', traits: { email: 'Ada@Example.com', ...traits } },
  ...more,
});
const track = (event: unknown, more: JsonObject = {}) => ({
  ...{ ...ada, type: 'track', event, context: { traits: { email: 'ada@example.com' } } },
  ...more,
});
const send = (event: JsonObject, more: JsonObject = {}) => mailchimp.transform(event, { ...config, ...more })[0];
const bodyOf = (event: JsonObject, more: JsonObject = {}) => send(event, more)?.body.JSON;

describe('a member of a Mailchimp audience', () => {
  it('is subscribed when new', () => {
    const payload = send(identify({ plan: 'pro', status: 'lost' }));
    expect(payload).toMatchObject({
      ...{ method: 'PUT', endpoint: member },
      headers: { authorization: `Basic ${Buffer.from('apiKey:k').toString('base64')}` },
    });
    expect(payload?.body.JSON).toEqual({ email_address: 'Ada@Example.com', status_if_new: 'subscribed' });
  });

  it.each(['mailchimp', 'MailChimp', 'MAILCHIMP'])('has the audience and the status of the options of %s', (name) => {
    const integrations = { [name]: { listId: 'L', subscriptionStatus: 'unsubscribed' } };
    const payload = send(identify({}, { integrations, context: { MailChimp: { listId: 'x' } } }));
    expect(payload?.endpoint).toContain(`/lists/L/members/`);
    expect(payload?.body.JSON).toEqual({ email_address: 'Ada@Example.com', status: 'unsubscribed' });
  });

  it('has the audience of the context', () => {
    expect(send(identify({}, { context: { MailChimp: { listId: 'C' } } }))?.endpoint).toContain('/lists/C/members/');
  });

  const nameless = { traits: undefined };
  it.each<[JsonObject]>([
    [{ ...nameless, context: { traits: { email: 'ada@example.com' } } }],
    [{ ...nameless, properties: { email: 'ada@example.com' } }],
    [{ ...nameless, context: { externalId: [{ id: 'ada@example.com' }] } }],
  ])('is found by the address of %j', (event) => {
    expect(send(identify({}, event))?.endpoint).toBe(member);
    expect(bodyOf(identify({}, event))).toMatchObject({ email_address: 'ada@example.com' });
  });

  it('of a reverse ETL source has its fields as they are', () => {
    const context = {
      mappedToDestination: true,
      externalId: [{ identifierType: 'email_address', id: 'ada@example.com' }],
    };
    const traits = { status: 'pending', none: null, merge_fields: { FNAME: 'Ada', ADDRESS: {} } };
    const { none: _, ...sent } = traits;
    const mapped = { ...ada, type: 'identify', traits, context };
    expect(send(mapped)?.endpoint).toBe(member);
    expect(bodyOf(mapped)).toEqual({ ...sent, email_address: 'ada@example.com' });
    expect(() => send({ ...mapped, traits: { status: 'lost' } })).toThrow('the status must be one of');
    const ADDRESS = { addr1: 'Via Po 1', city: 'Turin' };
    expect(() => send({ ...mapped, traits: { merge_fields: { ADDRESS } } })).toThrow('has no state, zip');
    const bare = { mappedToDestination: true, externalId: [{ id: 'ada@example.com' }] };
    expect(bodyOf({ ...ada, type: 'identify', context: bare })).toEqual({});
  });
});

describe('merge fields at Mailchimp', () => {
  const fieldsOf = (event: JsonObject) => bodyOf(event, { enableMergeFields: true })?.['merge_fields'];

  it.each<[JsonObject, JsonObject]>([
    [
      { firstName: 'Ada', lastName: 'King', phone: '1' },
      { FNAME: 'Ada', LNAME: 'King', PHONE: '1' },
    ],
    [
      { firstname: 'Ada', lastname: 'King' },
      { FNAME: 'Ada', LNAME: 'King' },
    ],
    [{ first_name: 'Ada' }, { FNAME: 'Ada', FIRST_NAME: 'Ada' }],
    [{ birthday: '1990-12-31' }, { BIRTHDAY: '12/31' }],
    [{ birthday: '1990-12-31T10:00:00Z' }, { BIRTHDAY: '12/31' }],
    [{ birthday: 'soon', FirstName: 'x', LastName: 'x', addr1: 'x' }, {}],
    [
      { 'favourite colour!': 'red', 'a-b': 1, FNAME: 'x', firstName: 'Ada', tags: ['a'], none: null, blank: '' },
      { 'FAVOURITE ': 'red', AB: 1, FNAME: 'x', TAGS: ['a'], NONE: null, BLANK: '' },
    ],
    [
      { plan: 1, 'plan!': 2, status: 'pro' },
      { PLAN: 2, STATUS: 'pro' },
    ],
  ])('of %j are %j', (traits, fields) => {
    expect(fieldsOf(identify(traits))).toEqual(fields);
  });

  it('are read from the context and the properties too', () => {
    const context = { traits: { firstName: 'Ada', last_name: 'King', birthday: '1990-01-02', plan: 'pro' } };
    expect(fieldsOf(identify({}, { context, properties: { phone: '1' } }))).toEqual({
      ...{ FNAME: 'Ada', LNAME: 'King', BIRTHDAY: '01/02', PHONE: '1' },
    });
    expect(
      fieldsOf({ ...ada, type: 'identify', context: { traits: { ...context.traits, email: 'a@b.c' } } }),
    ).toMatchObject({
      PLAN: 'pro',
      LAST_NAME: 'King',
    });
  });

  const place = {
    addressLine1: 'Via Po 1',
    addressLine2: 'B',
    city: 'Turin',
    state: 'TO',
    zip: '10123',
    country: 'IT',
  };
  const ADDRESS = { addr1: 'Via Po 1', addr2: 'B', city: 'Turin', state: 'TO', zip: '10123', country: 'IT' };
  it.each<[string, JsonObject, JsonObject]>([
    ['the traits', identify(place), { ADDRESS, COUNTRY: 'IT' }],
    ['an address', identify({ address: place }), { ADDRESS }],
    ['merge fields', identify({ merge_fields: { ADDRESS } }), { ADDRESS, MERGE_FIEL: { ADDRESS } }],
    ['the context', identify({}, { context: { traits: { address: place } } }), { ADDRESS }],
  ])('have the address of %s', (_, event, fields) => {
    expect(fieldsOf(event)).toEqual(fields);
  });

  it.each<[JsonObject, string]>([
    [{ city: 'Turin' }, 'has no addr1, state, zip'],
    [{ country: 'IT' }, 'has no addr1, city, state, zip'],
    [{ ...place, zip: 10123 }, 'has no zip'],
  ])('have no part of the address %j', (traits, reason) => {
    expect(() => send(identify(traits))).toThrow(reason);
  });

  it('need traits', () => {
    const event = { ...ada, type: 'identify', properties: { email: 'a@b.c' } };
    expect(() => fieldsOf(event)).toThrow('merge fields need traits');
    expect(bodyOf(event)).toEqual({ email_address: 'a@b.c', status_if_new: 'subscribed' });
  });
});

describe('an event of a member at Mailchimp', () => {
  it.each<[JsonObject, JsonObject]>([
    [{}, {}],
    [{ properties: {} }, { properties: {} }],
    [
      { properties: { film: 'M', seats: [1, { a: 2 }], none: null, no: false, isSyncing: 'true' } },
      { properties: { film: 'M', seats: '[1,{"a":2}]', none: 'null', no: 'false' }, is_syncing: true },
    ],
    [{ properties: { isSyncing: false } }, { properties: {}, is_syncing: false }],
  ])('with %j has %j', (more, expected) => {
    const event = track(' Film  seen ', more);
    expect(send(event)).toMatchObject({ method: 'POST', endpoint: `${member}/events` });
    expect(bodyOf(event)).toEqual({ name: 'Film_seen', occurred_at: '2026-03-04T05:06:07+00:00', ...expected });
  });

  it.each<[JsonObject, JsonObject]>([
    [{ timestamp: '', originalTimestamp: '2026-01-01' }, { occurred_at: '2026-01-01T00:00:00+00:00' }],
    [{ timestamp: 'soon' }, {}],
  ])('with %j happened at %j', (more, expected) => {
    expect(bodyOf(track('Paid', more))).toEqual({ name: 'Paid', ...expected });
  });
});

describe('Mailchimp', () => {
  it.each<[JsonObject, JsonObject, string]>([
    [identify({ email: '' }), {}, 'traits.email is required'],
    [identify({}, { integrations: { MailChimp: { subscriptionStatus: 'lost' } } }), {}, 'the status must be one of'],
    [identify({}, { integrations: { MailChimp: { listId: '..' } } }), {}, 'part of an address'],
    [track('x'), {}, 'must have 2 to 30 characters'],
    [track(`${'x'.repeat(29)}  `), {}, 'must have 2 to 30 characters'],
    [track(undefined), {}, 'Event name is required'],
    [track('Paid'), { apiKey: '' }, 'apiKey is required'],
    [track('Paid', { integrations: { MailChimp: { listId: 'L' } } }), { audienceId: '' }, 'audienceId is required'],
    [track('Paid'), { datacenterId: '' }, 'datacenterId is required'],
    [track('Paid'), { datacenterId: 'evil.example.com/' }, 'datacenterId must be a word'],
    [{ type: 'group' }, {}, 'Event type group is not supported'],
  ])('refuses %j with %j', (event, more, message) => {
    expect(() => send(event, more)).toThrow(message);
  });
});
