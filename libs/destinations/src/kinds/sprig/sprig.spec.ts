import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada } from '../../../test/events.fixtures.js';
import { asItIs, expectSources, type SourcesRow, withValues } from '../../../test/sources.fixtures.js';
import { EMAIL, KNOWN_USER_ID } from '../../toolkit/index.js';
import sprig from './sprig.js';

const config = { apiKey: 'k' };
const identify = { ...ada, type: 'identify', traits: { email: 'ada@example.com', plan: 'pro', tags: ['a'] } };
const track = { ...ada, type: 'track', event: 'Report Opened' };
const send = (event: JsonObject, values: JsonObject = {}) => sprig.transform(withValues(event, values), config);
const bodyOf = (event: JsonObject, values: JsonObject = {}) => send(event, values)[0]?.body.JSON ?? {};

describe('an event for Sprig', () => {
  it('adds or updates a user', () => {
    expect(send(identify)).toMatchObject([
      {
        ...{ method: 'POST', endpoint: 'https://api.sprig.com/v2/users' },
        headers: { accept: 'application/json', authorization: 'API-Key k', 'content-type': 'application/json' },
      },
    ]);
    expect(bodyOf(identify)).toEqual({
      ...{ userId: 'ada', emailAddress: 'ada@example.com' },
      attributes: { email: 'ada@example.com', plan: 'pro', tags: ['a'] },
    });
    expect(bodyOf({ ...ada, type: 'identify', context: { traits: { plan: 'pro' } } })).toEqual({
      ...{ userId: 'ada', attributes: { plan: 'pro' } },
    });
    expect(bodyOf({ ...ada, type: 'identify' })).toEqual({ userId: 'ada' });
  });

  it('is one of the events of its user, with its time in milliseconds', () => {
    expect(send(track)[0]).toMatchObject({ method: 'POST', endpoint: 'https://api.sprig.com/v2/users' });
    expect(bodyOf(track, { 'context.traits.email': 'ada@example.com', 'properties.report': 7 })).toEqual({
      ...{ userId: 'ada', emailAddress: 'ada@example.com' },
      events: [{ event: 'Report Opened', timestamp: 1_772_600_767_890 }],
    });
    expect(bodyOf(track, { timestamp: 'never' })['events']).toEqual([{ event: 'Report Opened' }]);
    expect(bodyOf({ type: 'track', event: 'Paid', userId: 7, originalTimestamp: '2026-01-01T00:00:00Z' })).toEqual({
      ...{ userId: '7', events: [{ event: 'Paid', timestamp: 1_767_225_600_000 }] },
    });
  });

  it.each<SourcesRow>([
    ['userId', KNOWN_USER_ID, asItIs],
    ['emailAddress', EMAIL, asItIs],
  ])('has %s from %j', (...row) => {
    const of = row[0] === 'userId' ? { anonymousId: 'anon-1' } : { userId: 'ada' };
    expectSources((values) => bodyOf({ type: 'identify', ...of }, values), row);
  });

  it.each<[JsonObject, JsonObject, string]>([
    [{ userId: '' }, config, 'userId is required'],
    [{ userId: { a: 1 } }, config, 'userId is required'],
    [{ event: null }, config, 'Event name is required'],
    [{ type: 'group' }, config, 'Event type group is not supported'],
    [{ type: '' }, config, 'Event type is required'],
    [{}, { apiKey: '' }, 'apiKey is required'],
  ])('with %j and %j is refused: %s', (values, settings, message) => {
    expect(() => sprig.transform({ ...track, ...values }, settings)).toThrow(message);
  });
});
