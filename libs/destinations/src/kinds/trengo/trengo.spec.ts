import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada } from '../../../test/events.fixtures.js';
import { asItIs, expectSources, type SourcesRow, withValues } from '../../../test/sources.fixtures.js';
import { EMAIL, PHONE } from '../../toolkit/index.js';
import trengo from './trengo.js';

const eventTemplateMap = [
  { from: 'Report Opened', to: '{{ event }} by {{report}} of {{context.locale}}{{nothing}}' },
  ...[{ from: 'Paid' }, { from: 'Sent', to: ' ' }, { from: 'Lost', to: '{event} lost' }],
];
const config = { apiToken: 'k', channelId: '12', channelIdentifier: 'email', eventTemplateMap };
const identify = { ...ada, type: 'identify', traits: { name: 'Ada Lovelace', email: 'ada@example.com', phone: '+44' } };
const track = { ...ada, type: 'track', event: 'Report Opened', properties: { report: 7, email: 'ada@example.com' } };
const contactId = { 'context.externalId': [{ type: 'trengoContactId', id: 99 }] };
const channelId = { 'context.externalId': [{ type: 'trengoChannelId', id: 'a/b' }] };
/** A phone for each e-mail of the sources. */
const asPhone = (email: string) => (email.startsWith('One') ? '+44 1' : '+44 2');
const send = (event: JsonObject, values: JsonObject = {}, more: JsonObject = {}) =>
  trengo.transform(withValues(event, values), { ...config, ...more });
const made = (event: JsonObject, values: JsonObject = {}, more: JsonObject = {}) => send(event, values, more)[0];

describe('a contact at Trengo', () => {
  it('is created in the channel, or updated where the delivery finds one', () => {
    expect(send(identify)).toMatchObject([
      {
        ...{ method: 'POST', endpoint: 'https://app.trengo.com/api/v2/channels/12/contacts' },
        headers: { accept: 'application/json', authorization: 'Bearer k', 'content-type': 'application/json' },
        params: { identifier: 'ada@example.com' },
        body: { JSON: { name: 'Ada Lovelace', identifier: 'ada@example.com', channel_id: '12' } },
      },
    ]);
  });

  it('is created in any case without deduplication', () => {
    const more = { enableDedup: false, channelIdentifier: 'phone' };
    expect(made(identify, { ...contactId, 'traits.name': '' }, more)).toMatchObject({
      ...{ method: 'POST', params: {}, body: { JSON: { identifier: '+44', channel_id: '12' } } },
    });
  });

  it('is updated when the event names it', () => {
    const names = { 'traits.name': '', 'traits.firstName': 'Ada', 'traits.lastName': 'King' };
    expect(made(identify, { ...contactId, ...names })).toMatchObject({
      ...{ method: 'PUT', endpoint: 'https://app.trengo.com/api/v2/contacts/99', params: {} },
      body: { JSON: { name: 'Ada King' } },
    });
  });

  it('may be of the channel of the event', () => {
    expect(made(identify, channelId, { channelId: '' })).toMatchObject({
      ...{ endpoint: 'https://app.trengo.com/api/v2/channels/a%2Fb/contacts', body: { JSON: { channel_id: 'a/b' } } },
    });
  });

  it.each<[string, SourcesRow]>([
    ['email', ['identifier', EMAIL, asItIs]],
    ['phone', ['identifier', PHONE, asPhone]],
  ])('has as %s %j', (channelIdentifier, row) => {
    const contact = (values: JsonObject) => made({ type: 'identify' }, values, { channelIdentifier })?.body.JSON ?? {};
    const told = ([path, value]: [string, unknown]): [string, unknown] => [path, row[2](String(value))];
    expectSources((values) => contact(Object.fromEntries(Object.entries(values).map(told))), row);
  });
});

describe('a ticket at Trengo', () => {
  it('is of a contact that the delivery finds', () => {
    expect(send(track, { 'context.locale': 'en' })).toMatchObject([
      {
        ...{
          method: 'POST',
          endpoint: 'https://app.trengo.com/api/v2/tickets',
          params: { identifier: 'ada@example.com' },
        },
        body: { JSON: { channel_id: '12', subject: 'Report Opened by 7 of en' } },
      },
    ]);
  });

  it('is of the contact that the event names', () => {
    const [payload] = send(track, { ...contactId, 'properties.email': '' });
    expect([payload?.params, payload?.body.JSON]).toMatchObject([{}, { contact_id: 99, channel_id: '12' }]);
  });

  it.each([
    ['Paid', undefined],
    ['Sent', undefined],
    ['Lost', '{event} lost'],
  ])('of %s has the subject %j', (event, subject) => {
    expect(made(track, { event })?.body.JSON['subject']).toBe(subject);
  });
});

describe('Trengo', () => {
  it.each<[JsonObject, JsonObject, string]>([
    [{ ...identify, traits: { phone: '+44' } }, {}, 'email is required: it is read from traits.email'],
    [{ ...identify, traits: { email: 'a@b.cd' } }, { channelIdentifier: 'phone' }, 'phone is required'],
    [{ ...identify, traits: { email: 'n/a' } }, {}, 'email must be an e-mail address'],
    [{ ...track, properties: { email: 'ada' } }, {}, 'email must be an e-mail address'],
    [{ ...identify, traits: { phone: 'n/a' } }, { channelIdentifier: 'phone' }, 'phone must have digits'],
    [{ ...identify, traits: { phone: '+00' } }, { channelIdentifier: 'phone' }, 'phone must have digits'],
    [withValues({ ...ada, type: 'identify' }, contactId), {}, 'traits.name is required'],
    [{ ...track, properties: {} }, {}, 'email is required'],
    [{ ...track, event: 'Other' }, {}, 'eventTemplateMap does not list this event'],
    [track, { eventTemplateMap: null }, 'eventTemplateMap does not list this event'],
    [{ ...track, event: '' }, {}, 'Event name is required'],
    [identify, { channelId: '' }, 'channelId is required'],
    [identify, { channelIdentifier: '' }, 'channelIdentifier is required'],
    [identify, { channelIdentifier: 'fax' }, 'channelIdentifier must be email or phone'],
    [identify, { apiToken: null }, 'apiToken is required'],
    [{ ...ada, type: 'group' }, {}, 'Event type group is not supported'],
  ])('refuses %j with %j: %s', (event, more, message) => {
    expect(() => send(event, {}, more)).toThrow(message);
  });
});
