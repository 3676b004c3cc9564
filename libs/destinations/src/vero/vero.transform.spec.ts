import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { veroTransform } from './vero.transform.js';

const calls = (event: JsonObject) =>
  veroTransform({ userId: 'ada', ...event }, { authToken: 't' }).map(({ method, endpoint, body }) => [
    `${method} ${endpoint.replace('https://api.getvero.com/api/v2/', '')}`,
    body.JSON,
  ]);

describe('Vero', () => {
  it.each<[JsonObject, string, JsonObject]>([
    [
      { type: 'identify', traits: { email: 'a@b.c', plan: 'pro' } },
      'POST users/track',
      { id: 'ada', email: 'a@b.c', data: { plan: 'pro' } },
    ],
    [
      { type: 'identify', context: { device: { token: 'd' }, os: { name: 'Android' } } },
      'POST users/track',
      { id: 'ada', data: {}, channels: [{ type: 'push', address: 'd', platform: 'android' }] },
    ],
    [
      { type: 'track', event: 'Paid', properties: { total: 1 } },
      'POST events/track',
      { identity: { id: 'ada' }, event_name: 'Paid', data: { total: 1 } },
    ],
    [{ type: 'track', event: 'Unsubscribe' }, 'POST users/unsubscribe', { id: 'ada' }],
    [
      { type: 'page', name: 'Home' },
      'POST events/track',
      { identity: { id: 'ada' }, event_name: 'Viewed Home Page', data: {} },
    ],
    [{ type: 'alias', previousId: 'old' }, 'PUT users/reidentify', { id: 'old', new_id: 'ada' }],
  ])('%j is %s', (event, call, body) => {
    expect(calls(event)).toEqual([[call, { ...body, auth_token: 't' }]]);
  });

  it('changes tags with a call of their own', () => {
    const event = { type: 'track', event: 'Paid', integrations: { Vero: { tags: { add: ['vip'], remove: [] } } } };
    expect(calls(event)[1]).toEqual(['PUT users/tags/edit', { id: 'ada', add: ['vip'], auth_token: 't' }]);
  });

  it('refuses groups', () => {
    expect(() => calls({ type: 'group' })).toThrow('Event type group is not supported');
  });
});
