import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada } from '../../test/events.fixtures.js';
import { airshipTransform } from './airship.transform.js';

const send = (event: JsonObject, config: JsonObject = {}) =>
  airshipTransform({ ...ada, ...event }, { apiKey: 'k', appKey: 'app', ...config }).map(
    ({ endpoint, body }) => [endpoint.replace('https://go.urbanairship.com/api/', ''), body.JSON] as const,
  );

const listOf = (body: JsonObject | undefined): JsonObject[] => (body?.['attributes'] ?? []) as JsonObject[];

describe('Airship', () => {
  it('has true and false traits as tags, the others as attributes', () => {
    const traits = {
      name: 'Ada',
      vip: true,
      'On Trial': false,
      address: { city: 'Turin', street: 'Via Po' },
      since: 1_767_225_600,
    };
    const config = { timestampAttributes: [{ timestampAttribute: 'since' }] };
    const [tags, attributes] = send({ type: 'identify', userId: 'a/b', traits }, config);
    expect(tags?.[0]).toBe('named_users/tags');
    expect(Object.values(tags?.[1]['add'] as JsonObject)).toEqual([['vip']]);
    expect(Object.values(tags?.[1]['remove'] as JsonObject)).toEqual([['on_trial']]);
    expect(attributes?.[0]).toBe('named_users/a%2Fb/attributes');
    expect(listOf(attributes?.[1]).map(({ key, value }) => [key, value])).toEqual([
      ['full_name', 'Ada'],
      ['city', 'Turin'],
      ['address_street', 'Via Po'],
      ['since', '2026-01-01T00:00:00Z'],
    ]);
  });

  it('takes whole objects from the integrations, in place of traits of that name', () => {
    const integrations = { Airship: { JSONAttributes: { 'car#1': { doors: 3 } } } };
    const [call] = send({ type: 'group', traits: { car: 'red', seats: 2 }, integrations });
    expect(call?.[1]['attributes']).toMatchObject([{ key: 'seats' }, { key: 'car#1', value: { doors: 3 } }]);
  });

  it('has custom events, with a UUID for the session', () => {
    const [call] = send({
      type: 'track',
      event: 'Order  Done',
      properties: { value: 5, plan: 'pro' },
      context: { sessionId: 17 },
    });
    expect(call).toEqual([
      'custom-events',
      {
        occured: ada.timestamp,
        user: { named_user_id: 'ada' },
        body: {
          name: 'order_done',
          value: 5,
          session_id: expect.stringMatching(/^[0-9a-f]{8}-.{4}-5/),
          properties: { plan: 'pro' },
        },
      },
    ]);
  });

  it.each<[JsonObject, JsonObject, string]>([
    [{ type: 'identify' }, {}, 'no traits'],
    [{ type: 'identify', userId: '', traits: { a: 1 } }, {}, 'userId is required'],
    [{ type: 'track', event: 'e' }, { appKey: '' }, 'appKey is required'],
    [{ type: 'page' }, {}, 'Event type page is not supported'],
  ])('refuses %j with %j', (event, config, message) => {
    expect(() => send(event, config)).toThrow(message);
  });
});
