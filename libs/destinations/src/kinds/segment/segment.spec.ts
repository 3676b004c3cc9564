import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { eventWith } from '../../../test/events.fixtures.js';
import { objectAt } from '../../toolkit/index.js';
import segment from './segment.js';

const send = (event: JsonObject, writeKey = 'k') => segment.transform(event, { writeKey })[0];
const itemOf = (event: JsonObject) => objectAt(send({ anonymousId: 'anon', ...event }), 'body.JSON.batch.0');
const TYPES = ['identify', 'track', 'page', 'screen', 'group', 'alias'];

describe('a Segment event', () => {
  it('is a batch of one, with the write key as user name', () => {
    const payload = send({ type: 'track', event: 'Paid', userId: 7, anonymousId: 'anon' });
    expect(payload).toMatchObject({ method: 'POST', endpoint: 'https://api.segment.io/v1/batch', userId: '7' });
    expect(payload?.headers).toEqual({ 'content-type': 'application/json', authorization: 'Basic azo=' });
    const item = { anonymousId: 'anon', type: 'track', userId: 7, event: 'Paid' };
    expect(payload?.body.JSON).toEqual({ batch: [item] });
  });

  it.each([
    ['anonymousId', 'anonymousId'],
    ['userId', 'userId', 'traits.userId', 'traits.id', 'context.traits.userId', 'context.traits.id', 'anonymousId'],
    ['event', 'event'],
    ['timeStamp', 'timestamp', 'originalTimestamp'],
  ])('has %s from %s, then %s', (key, ...sources) => {
    for (const type of TYPES) {
      let event: JsonObject = { type, event: 'Paid' };
      for (const source of sources.toReversed()) {
        event = eventWith(event, source, source);
        expect(itemOf(event)[key]).toBe(source);
      }
    }
  });

  it.each<[JsonObject, JsonObject]>([
    [{ traits: { a: [{ b: null }], anonymousId: 'x' } }, { traits: { a: [{ b: null }] } }],
    [{ context: { traits: { a: 1 } } }, { traits: { a: 1 } }],
    [{ traits: {}, context: { traits: { a: 1 } } }, { traits: {} }],
    [{ traits: { anonymousId: '' } }, { traits: { anonymousId: '' } }],
    [{ traits: 'text' }, {}],
    [{ properties: { a: { b: '' } } }, { properties: { a: { b: '' } } }],
    [{ properties: '' }, {}],
    [{ event: 0 }, {}],
    [{ name: 'Home', category: 'c', messageId: 'm', groupId: 'g', previousId: 'p', integrations: {} }, {}],
  ])('of %j is %j', (event, expected) => {
    const known = { anonymousId: 'anon', type: 'page', userId: 'anon' };
    expect(itemOf({ type: 'Page', ...event })).toEqual({ ...known, ...expected });
  });

  it('names the group, and the earlier id of an alias', () => {
    const ids = { groupId: 'g', previousId: 'p' };
    const known = { anonymousId: 'anon', userId: 'anon' };
    expect(itemOf({ type: 'group', ...ids })).toEqual({ ...known, type: 'group', groupId: 'g' });
    expect(itemOf({ type: 'alias', ...ids })).toEqual({ ...known, type: 'alias', previousId: 'p' });
  });

  it.each<[JsonObject, string, string]>([
    [{ type: 'track', userId: 'u', event: 0 }, 'k', 'Event name is required'],
    [{ type: 'page', userId: { a: 1 } }, 'k', 'userId or anonymousId is required'],
    [{ type: 'track', event: 'e' }, 'k', 'userId or anonymousId is required'],
    [{ type: 'page', userId: 'u' }, '', "writeKey is required in the destination's configuration"],
    [{ type: 'merge', userId: 'u' }, 'k', 'Event type merge is not supported'],
  ])('is refused for %j with %j', (event, writeKey, message) => {
    expect(() => send(event, writeKey)).toThrow(expect.objectContaining({ code: 'invalid', message }));
  });
});
