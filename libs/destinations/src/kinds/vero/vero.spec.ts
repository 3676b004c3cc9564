import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { eventWith } from '../../../test/events.fixtures.js';
import vero from './vero.js';

const calls = (event: JsonObject) =>
  vero
    .transform(event, { authToken: 't' })
    .map(({ method, endpoint, body }) => [
      `${method} ${endpoint.replace('https://api.getvero.com/api/v2/', '')}`,
      body.JSON,
    ]);
const bodyOf = (event: JsonObject) => calls({ userId: 'ada', ...event })[0]?.[1];
const PERSON = ['userId', 'traits.userId', 'traits.id', 'context.traits.userId', 'context.traits.id', 'anonymousId'];
const EMAIL = ['traits.email', 'context.traits.email', 'properties.email'];

describe('a person at Vero', () => {
  it.each(PERSON)('is known by %s', (path) => {
    const known = (event: JsonObject) => calls(eventWith(event, path, 7))[0]?.[1];
    expect(known({ type: 'identify' })).toMatchObject({ id: 7 });
    expect(known({ type: 'track', event: 'Paid' })).toMatchObject({ identity: { id: 7 } });
    expect(known({ type: 'track', event: 'unsubscribe' })).toEqual({ id: 7, auth_token: 't' });
    expect(known({ type: 'alias', previousId: 'old' })).toEqual({ id: 'old', new_id: 7, auth_token: 't' });
  });

  it.each(EMAIL)('has the address of %s', (path) => {
    expect(bodyOf(eventWith({ type: 'identify' }, path, 'a@b.c'))).toMatchObject({ id: 'ada', email: 'a@b.c' });
    expect(bodyOf(eventWith({ type: 'page' }, path, 'a@b.c'))).toMatchObject({
      identity: { id: 'ada', email: 'a@b.c' },
    });
  });

  it.each<[JsonObject, unknown]>([
    [{ traits: { email: 'a@b.c', plan: 'pro', list: [{ a: null }] } }, { plan: 'pro', list: [{ a: null }] }],
    [{ traits: { own: 1 }, context: { traits: { plan: 'pro' } } }, { plan: 'pro' }],
    [{ context: { traits: {} } }, {}],
    [{}, undefined],
    [{ context: { timezone: 'Europe/Rome', locale: 'it', userAgent: '' } }, { timezone: 'Europe/Rome', locale: 'it' }],
    [
      { traits: { timezone: 'lost', locale: 'it' }, context: { timezone: 'UTC', userAgent: 'curl' } },
      { timezone: 'UTC', locale: 'it', userAgent: 'curl' },
    ],
  ])('of %j has the data %j', (event, data) => {
    expect(bodyOf({ type: 'identify', ...event })?.['data' as never]).toEqual(data);
  });

  it.each<[JsonObject, unknown]>([
    [{ token: 'd', name: 'Pixel' }, [{ type: 'push', address: 'd', platform: 'Android', device: 'Pixel' }]],
    [{ token: 'd' }, [{ type: 'push', address: 'd', platform: 'Android' }]],
    [{ name: 'Pixel' }, undefined],
  ])('with the device %j has the channels %j', (device, channels) => {
    const context = { device, os: { name: 'Android' } };
    expect(bodyOf({ type: 'identify', context })?.['channels' as never]).toEqual(channels);
    expect(bodyOf({ type: 'identify', context: { device } })).not.toHaveProperty('channels');
  });
});

describe('an event at Vero', () => {
  it.each<[JsonObject, string, JsonObject]>([
    [
      { type: 'track', event: 'Paid', properties: { a: { b: null } } },
      'events/track',
      { event_name: 'Paid', data: { a: { b: null } } },
    ],
    [{ type: 'track', event: 'Paid' }, 'events/track', { event_name: 'Paid' }],
    [{ type: 'page' }, 'events/track', { event_name: 'Viewed Page' }],
    [{ type: 'page', name: 'Home', category: 'no' }, 'events/track', { event_name: 'Viewed Home Page' }],
    [
      { type: 'screen', name: 'Home', properties: { category: 'Shop', name: 'no' } },
      'events/track',
      { event_name: 'Viewed Shop Home Screen', data: { category: 'Shop', name: 'no' } },
    ],
  ])('%j goes to %s', (event, path, body) => {
    const identity = { id: 'ada' };
    expect(calls({ userId: 'ada', ...event })).toEqual([[`POST ${path}`, { identity, ...body, auth_token: 't' }]]);
  });

  it.each<[JsonObject, unknown]>([
    [{ timestamp: '2026-01-01T00:00:01.999Z', originalTimestamp: 'never' }, { check_id: 1_767_225_601_000_000 }],
    [{ originalTimestamp: '2026-01-01T00:00:00Z' }, { check_id: 1_767_225_600_000_000 }],
    [{ timestamp: 'never' }, undefined],
    [{ timestamp: 1e300 }, undefined],
    [{}, undefined],
  ])('of the times %j has the extras %j', (times, extras) => {
    expect(bodyOf({ type: 'track', event: 'Paid', ...times })?.['extras' as never]).toEqual(extras);
  });

  it.each(['Unsubscribe', 'RESUBSCRIBE'])('%s ends or renews a subscription, without tags', (event) => {
    const integrations = { Vero: { tags: { add: ['vip'] } } };
    expect(calls({ type: 'track', event, userId: 'ada', integrations })).toEqual([
      [`POST users/${event.toLowerCase()}`, { id: 'ada', auth_token: 't' }],
    ]);
  });
});

describe('tags at Vero', () => {
  const edited = (tags: unknown, type = 'identify', name = 'Vero') =>
    calls({ type, event: 'Paid', userId: 'ada', previousId: 'old', integrations: { [name]: { tags } } }).slice(1);

  it.each(['vero', 'Vero', 'VERO'])('change with a call of their own, for the options of %s', (name) => {
    const change = ['PUT users/tags/edit', { id: 'ada', add: ['vip'], remove: [], auth_token: 't' }];
    expect(edited({ add: ['vip'], remove: [] }, 'identify', name)).toEqual([change]);
    expect(edited({ add: ['vip'], remove: [] }, 'track', name)).toEqual([change]);
  });

  it.each([[{ add: [], remove: [] }], [{ add: 'vip' }], [null]])('stay as they are for %j', (tags) => {
    expect(edited(tags)).toEqual([]);
    expect(edited({ remove: ['vip'] })).toHaveLength(1);
  });

  it.each(['page', 'screen', 'alias'])('stay as they are for a %s', (type) => {
    expect(edited({ add: ['vip'] }, type)).toEqual([]);
  });
});

it('Vero knows a user by the e-mail alone', () => {
  const tagged = { traits: { email: 'a@b.c' }, integrations: { Vero: { tags: { add: ['vip'] } } } };
  expect(calls({ type: 'identify', ...tagged })).toEqual([
    ['POST users/track', { email: 'a@b.c', data: {}, auth_token: 't' }],
  ]);
  expect(calls({ type: 'track', event: 'Paid', properties: { email: 'a@b.c' } })).toMatchObject([
    ['POST events/track', { identity: { email: 'a@b.c' }, event_name: 'Paid' }],
  ]);
});

describe('Vero refuses', () => {
  it.each<[JsonObject, string]>([
    [{ type: 'group', userId: 'ada' }, 'Event type group is not supported'],
    [{ type: 'identify', traits: { email: { of: 'ada' } } }, 'traits.email is required'],
    [{ type: 'page' }, 'traits.email is required'],
    [{ type: 'page', userId: { a: 1 } }, 'traits.email is required'],
    [{ type: 'track', event: 'unsubscribe' }, 'id is required'],
    [{ type: 'track', userId: 'ada' }, 'Event name is required'],
    [{ type: 'alias', userId: 'ada' }, 'id is required'],
    [{ type: 'alias', previousId: 'old' }, 'new_id is required'],
  ])('%j', (event, message) => {
    expect(() => calls(event)).toThrow(expect.objectContaining({ code: 'invalid' }));
    expect(() => calls(event)).toThrow(message);
  });

  it('to work without a token, once the type is known', () => {
    expect(() => vero.transform({ type: 'page', userId: 'ada' }, {})).toThrow('authToken is required');
    expect(() => vero.transform({ type: 'group' }, {})).toThrow('Event type group is not supported');
  });
});
