import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada } from '../../../test/events.fixtures.js';
import heap from './heap.js';

const config = { appId: '11' };
const track = { ...ada, type: 'track', event: 'Send Transactional Email', properties: { subject: 'Welcome' } };
const send = (event: JsonObject, more: JsonObject = {}) => heap.transform(event, { ...config, ...more })[0];

describe('an event for Heap', () => {
  it('is the request of the track page', () => {
    expect(send(track)).toMatchObject({
      ...{ method: 'POST', endpoint: 'https://heapanalytics.com/api/track', userId: 'ada' },
      headers: { 'content-type': 'application/json', accept: 'application/json' },
    });
    expect(send(track)?.body.JSON).toEqual({
      ...{ app_id: '11', identity: 'ada', event: 'Send Transactional Email' },
      ...{ timestamp: ada.timestamp, properties: { subject: 'Welcome' } },
    });
  });

  it('may name the key by which Heap drops repeats', () => {
    const event = { ...track, properties: { subject: 'Welcome', idempotencyKey: 1234 } };
    expect(send(event)?.body.JSON).toMatchObject({ idempotency_key: '1234', properties: { subject: 'Welcome' } });
    expect(send(event)?.body.JSON['properties']).not.toHaveProperty('idempotencyKey');
  });

  it('adds properties to the user of an identify', () => {
    const payload = send({ ...ada, userId: '', type: 'identify', traits: { email: 'ada@example.com' } });
    expect(payload?.endpoint).toBe('https://heapanalytics.com/api/add_user_properties');
    expect(payload?.body.JSON).toEqual({ app_id: '11', identity: 'anon-1', properties: { email: 'ada@example.com' } });
  });

  it('goes to the region of the environment', () => {
    expect(send(track, { dataResidency: 'eu' })?.endpoint).toBe('https://c.eu.heap-api.com/api/track');
  });

  it.each<[JsonObject, JsonObject, string]>([
    [{ event: '' }, {}, 'Event name is required'],
    [{ type: 'page' }, {}, 'Event type page is not supported'],
    [{ userId: undefined, anonymousId: undefined }, {}, 'identity is required'],
    [{}, { appId: '' }, 'appId is required'],
    [{}, { dataResidency: 'asia' }, 'dataResidency must be us or eu'],
  ])('is refused: %j %j', (change, settings, reason) => {
    expect(() => send({ ...track, ...change }, settings)).toThrow(reason);
  });
});

describe('a batch for Heap', () => {
  it('is a bulk track', () => {
    const rule = heap.batch?.(config);
    const [one, other] = [send(track), send({ ...track, userId: 'bob' })];
    if (!rule || !one || !other) throw new Error('no batch');
    expect(rule.keyOf(one)).toBe(rule.keyOf(other));
    expect(rule.combine([one, other]).body.JSON).toEqual({
      app_id: '11',
      events: ['ada', 'bob'].map((identity) => expect.objectContaining({ identity, timestamp: ada.timestamp })),
    });
  });

  it('never holds properties of users', () => {
    const identify = send({ ...ada, type: 'identify', traits: { plan: 'pro' } });
    expect(identify && heap.batch?.(config)?.keyOf(identify)).toBeUndefined();
  });
});
