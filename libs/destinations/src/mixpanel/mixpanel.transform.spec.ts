import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada, itemsOf } from '../../test/events.fixtures.js';
import { mixpanelBatch } from './mixpanel.batch.js';
import { mixpanelTransform } from './mixpanel.transform.js';

const recent = { ...ada, timestamp: new Date().toISOString() };
const send = (event: JsonObject, config: JsonObject = {}) =>
  mixpanelTransform({ ...recent, ...event }, { token: 't', ...config }).map(
    (payload) => [payload.endpoint.replace(/^https:\/\/[^/]+/, ''), itemsOf(payload)[0] as JsonObject] as const,
  );

describe('a Mixpanel event', () => {
  it('is imported with default properties, its own and the traits', () => {
    const context = { traits: { plan: 'pro' }, campaign: { name: 'spring', medium: 'mail' } };
    expect(send({ type: 'track', event: 'Paid', properties: { total: 1 }, context })).toEqual([
      [
        '/import/',
        {
          event: 'Paid',
          properties: {
            ...{ total: 1, plan: 'pro', token: 't', time: Date.parse(recent.timestamp) },
            ...{ distinct_id: 'ada', $user_id: 'ada', $insert_id: 'm-1' },
            ...{ campaign_id: 'spring', utm_campaign: 'spring', utm_medium: 'mail' },
          },
        },
      ],
    ]);
  });

  it.each<[JsonObject, JsonObject, JsonObject]>([
    [{ type: 'page', name: 'Home' }, {}, { event: 'Loaded a Page', properties: { name: 'Home' } }],
    [
      { type: 'screen', name: 'Home' },
      { useUserDefinedScreenEventName: true, userDefinedScreenEventTemplate: '{{name}} seen' },
      { event: 'Home seen' },
    ],
    [
      { type: 'track', event: 'e', userId: '' },
      { identityMergeApi: 'simplified' },
      { properties: { distinct_id: '$device:anon-1', $device_id: 'anon-1' } },
    ],
    [
      { type: 'alias', previousId: 'old' },
      {},
      { event: '$create_alias', properties: { distinct_id: 'old', alias: 'ada' } },
    ],
  ])('%j with %j', (event, config, expected) => {
    expect(send(event, config)[0]?.[1]).toMatchObject(expected);
  });

  it('adds revenue and counters to the profile', () => {
    const event = { type: 'track', event: 'Paid', properties: { revenue: 5, visits: 2, none: '' } };
    const calls = send(event, { propIncrements: [{ property: 'visits' }, { property: 'none' }] });
    expect(calls.map(([path]) => path)).toEqual(['/engage/', '/engage/', '/import/']);
    expect(calls[0]?.[1]).toMatchObject({ $append: { $transactions: { $amount: 5, $time: recent.timestamp } } });
    expect(calls[1]?.[1]).toMatchObject({ $add: { visits: 2 } });
  });

  it.each<[JsonObject, JsonObject, string]>([
    [{ type: 'track', event: 'e', timestamp: '2001-01-01T00:00:00Z' }, {}, 'more than five years ago'],
    [{ type: 'track', event: 'e', timestamp: 'soon' }, {}, 'neither timestamp nor originalTimestamp'],
    [{ type: 'track', event: 'e', messageId: 5 }, {}, 'messageId must be a text'],
    [{ type: 'alias' }, { identityMergeApi: 'simplified' }, 'no aliases'],
    [{ type: 'group', traits: {} }, { groupKeySettings: [{ groupKey: 'company' }] }, 'none of the group keys'],
  ])('is refused: %j with %j', (event, config, message) => {
    expect(() => send(event, config)).toThrow(expect.objectContaining({ code: 'invalid' }));
    expect(() => send(event, config)).toThrow(message);
  });
});

describe('a Mixpanel profile', () => {
  it('is set last, after what is set once, united and appended', () => {
    const traits = {
      firstName: 'Ada',
      lastName: 'King',
      first_seen: 1,
      tags: 'a',
      log: 'l',
      address: { city: 'Turin', zip: '1' },
    };
    const config = {
      setOnceProperties: [{ property: 'first_seen' }],
      unionProperties: [{ property: 'tags' }],
      appendProperties: [{ property: 'log' }],
      useNewMapping: true,
    };
    const calls = send({ type: 'identify', traits }, config).map(([, item]) => item);
    expect(calls).toMatchObject([
      { $set_once: { first_seen: 1 } },
      { $union: { tags: ['a'] } },
      { $append: { log: 'l' } },
      { $set: { $first_name: 'Ada', $last_name: 'King', $name: 'Ada King', $city: 'Turin', address: { zip: '1' } } },
      { event: '$merge', properties: { $distinct_ids: ['ada', 'anon-1'] } },
    ]);
  });

  it('leaves the event as it is', () => {
    const event = { ...recent, type: 'identify', traits: { tags: 'a' } };
    mixpanelTransform(event, { token: 't', unionProperties: [{ property: 'tags' }] });
    expect(event.traits).toEqual({ tags: 'a' });
  });

  it('joins groups, one call for each', () => {
    const calls = send(
      { type: 'group', traits: { company: ['a', 'b'] } },
      { groupKeySettings: [{ groupKey: 'company' }] },
    );
    expect(calls.map(([path]) => path)).toEqual(['/engage/', '/groups/', '/groups/']);
    expect(calls[2]?.[1]).toMatchObject({ $group_key: 'company', $group_id: 'b' });
  });
});

describe('a batch', () => {
  const payloads = ['One', 'Two', 'Three'].flatMap((event) =>
    mixpanelTransform({ ...ada, type: 'track', event }, { token: 't' }),
  );
  const answered = (status: number, response: unknown) => mixpanelBatch.outcomes?.({ status, response }, payloads);

  it('has arrived but for the events that the answer names', () => {
    const failed = { index: 1, field: 'properties.time', message: 'is invalid' };
    expect(answered(400, { failed_records: [failed] })).toEqual([
      { status: 200 },
      { status: 400, response: failed },
      { status: 200 },
    ]);
  });

  it.each([
    [200, { num_records_imported: 3 }],
    [400, { error: 'unreadable' }],
    [401, 'no'],
  ])('has one answer for all otherwise: %i', (status, response) => {
    expect(answered(status, response)).toBeUndefined();
  });
});
