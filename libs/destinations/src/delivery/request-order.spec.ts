import { expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { deliverAll } from '../../test/limited-vendor.fixtures.js';
import { Vendor } from '../../test/vendor.fixtures.js';

const timestamp = '2026-03-04T05:06:07.890Z';
const identify = (userId: string, plan: string) => ({
  type: 'identify',
  userId,
  anonymousId: `a-${userId}`,
  timestamp,
  traits: { plan },
});
const track = (event: string) => ({ type: 'track', event, userId: 'cyd', timestamp });

/**
 * Several payloads of one event, and events with several addresses, in the order in which a vendor gets them. The events are of
 * different users, because those of one user are not under way together.
 */
const CASES: readonly (readonly [
  kind: string,
  config: JsonObject,
  base: string,
  events: JsonObject[],
  calls: (readonly [string, string[]])[],
])[] = [
  [
    'BRAZE',
    { restApiKey: 'k', dataCenter: 'US-03' },
    'https://rest.iad-03.braze.com/',
    [identify('ada', 'pro'), track('Paid'), identify('bob', 'free'), { type: 'alias', userId: 'dan', previousId: 'x' }],
    [
      ['POST users/identify', ['a-ada', 'a-bob']],
      ['POST users/track', ['"name":"Paid"']],
      ['POST users/merge', ['"x"']],
      ['POST users/track', ['"plan":"pro"', '"plan":"free"']],
    ],
  ],
  [
    'KLAVIYO',
    { privateApiKey: 'k', apiVersion: 'v2', listId: 'l' },
    'https://a.klaviyo.com/api/',
    ['ada', 'bob'].map((name) => ({
      ...{ type: 'identify', userId: name, timestamp },
      traits: { email: `${name}@example.com`, properties: { subscribe: true } },
    })),
    [
      ['POST profile-import', ['ada@example.com']],
      ['POST profile-import', ['bob@example.com']],
      ['POST profile-subscription-bulk-create-jobs', ['ada@example.com', 'bob@example.com']],
    ],
  ],
  [
    'MP',
    { token: 't' },
    'https://api.mixpanel.com/',
    [
      { type: 'identify', userId: 'ada', anonymousId: 'a', timestamp, traits: { plan: 'pro' } },
      { type: 'identify', userId: 'bob', anonymousId: 'b', timestamp, traits: { plan: 'free' } },
    ],
    [
      ['POST engage/?verbose=2', ['"plan":"pro"', '"plan":"free"']],
      ['POST import/?strict=0', ['["ada","a"]', '["bob","b"]']],
    ],
  ],
];

it.each(CASES)('%s gets the payloads of each address in order', async (kind, config, base, events, calls) => {
  const vendor = new Vendor(base, {});
  const results = await deliverAll(kind, config, vendor.outbound, events);
  expect(new Set(results.map(({ status }) => status))).toEqual(new Set([200]));
  expect(vendor.names).toEqual(calls.map(([name]) => name));
  for (const [index, [, texts]] of calls.entries()) {
    const places = texts.map((text) => vendor.sent[index]?.body?.indexOf(text) ?? -1);
    expect(places.every((place, at) => place > (places[at - 1] ?? -1))).toBe(true);
  }
});
