import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada } from '../../test/events.fixtures.js';
import { md5 } from '../toolkit/index.js';
import { mailchimpTransform } from './mailchimp.transform.js';

const config = { apiKey: 'k', audienceId: 'a 1', datacenterId: 'us6' };
const member = `https://us6.api.mailchimp.com/3.0/lists/a%201/members/${md5('ada@example.com')}`;
const identify = (traits: JsonObject) => ({
  ...ada,
  type: 'identify',
  traits: { email: 'Ada@Example.com', ...traits },
});
const track = (event: unknown, properties: JsonObject = {}) => ({
  ...{ ...ada, type: 'track', event, properties },
  context: { traits: { email: 'ada@example.com' } },
});
const bodyOf = (event: JsonObject, more: JsonObject = {}) =>
  mailchimpTransform(event, { ...config, ...more })[0]?.body.JSON;

describe('a member of a Mailchimp audience', () => {
  it('is subscribed when new', () => {
    expect(mailchimpTransform(identify({ plan: 'pro' }), config)).toMatchObject([
      {
        ...{ method: 'PUT', endpoint: member },
        headers: { authorization: `Basic ${Buffer.from('apiKey:k').toString('base64')}` },
      },
    ]);
    expect(bodyOf(identify({ plan: 'pro' }))).toEqual({
      ...{ email_address: 'Ada@Example.com', status_if_new: 'subscribed' },
    });
  });

  it('has the status and the merge fields that its traits say', () => {
    const place = { addressLine1: 'Via Po 1', city: 'Turin', state: 'TO', zip: '10123' };
    const traits = { status: 'pending', firstName: 'Ada', birthday: '1990-12-31', favouriteColour: 'red', tags: ['a'] };
    expect(bodyOf(identify({ ...traits, ...place }), { enableMergeFields: true })).toEqual({
      ...{ email_address: 'Ada@Example.com', status: 'pending' },
      merge_fields: {
        ...{ FNAME: 'Ada', BIRTHDAY: '12/31', FAVOURITEC: 'red' },
        ADDRESS: { addr1: 'Via Po 1', city: 'Turin', state: 'TO', zip: '10123' },
      },
    });
    const body = bodyOf(identify({ city: 'Turin', firstName: 'Ada' }), { enableMergeFields: true });
    expect(body).toMatchObject({ merge_fields: { FNAME: 'Ada' } });
    expect(body?.['merge_fields']).not.toHaveProperty('ADDRESS');
  });

  it('does something', () => {
    const event = track('Film seen', { film: 'M', seats: [1, 2], isSyncing: true, none: null });
    expect(mailchimpTransform(event, config)).toMatchObject([{ method: 'POST', endpoint: `${member}/events` }]);
    expect(bodyOf(event)).toEqual({
      ...{ name: 'Film_seen', occurred_at: '2026-03-04T05:06:07+00:00', is_syncing: true },
      properties: { film: 'M', seats: '[1,2]' },
    });
  });

  it.each<[JsonObject, JsonObject, string]>([
    [identify({ email: '' }), {}, 'traits.email is required'],
    [identify({ status: 'lost' }), {}, 'traits.status must be one of'],
    [track('x'), {}, 'must have 2 to 30 characters'],
    [track('x'.repeat(31)), {}, 'must have 2 to 30 characters'],
    [track(undefined), {}, 'Event name is required'],
    [track('Paid'), { apiKey: '' }, 'apiKey is required'],
    [track('Paid'), { datacenterId: 'evil.example.com/' }, 'datacenterId must be a word'],
    [{ type: 'group' }, {}, 'Event type group is not supported'],
  ])('is refused: %j %j', (event, more, message) => {
    expect(() => mailchimpTransform(event, { ...config, ...more })).toThrow(message);
  });
});
