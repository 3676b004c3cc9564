import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { posthogBatch, posthogTransform } from './posthog.transform.js';

const config = { teamApiKey: 'k', yourInstance: 'https://eu.i.posthog.com/' };
const body = (event: JsonObject, more: JsonObject = {}) =>
  posthogTransform({ userId: 'ada', anonymousId: 'anon', ...event }, { ...config, ...more })[0]?.body
    .JSON as JsonObject;

describe('a PostHog event', () => {
  it('has properties of its own, of the person and of the context', () => {
    const context = {
      traits: { plan: 'pro' },
      page: { url: 'https://shop.example.com/a' },
      userAgent: 'Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/120.0',
    };
    expect(body({ type: 'track', event: 'Paid', properties: { total: 1 }, context })).toEqual({
      api_key: 'k',
      type: 'capture',
      event: 'Paid',
      distinct_id: 'ada',
      properties: {
        total: 1,
        distinct_id: 'ada',
        $anon_distinct_id: 'anon',
        $set: { plan: 'pro' },
        $current_url: 'https://shop.example.com/a',
        $host: 'shop.example.com',
        $useragent: context.userAgent,
        $browser: 'Firefox',
        $browser_version: '120.0',
        $os: 'Windows',
      },
    });
  });

  it.each<[JsonObject, string, JsonObject]>([
    [{ type: 'identify', traits: { plan: 'pro' } }, '$identify', { $set: { plan: 'pro' } }],
    [{ type: 'page', name: 'Home' }, '$pageview', {}],
    [{ type: 'screen', name: 'Home' }, '$screen', { $screen_name: 'Home' }],
    [{ type: 'alias', previousId: 'old' }, '$create_alias', { alias: 'old' }],
  ])('%j is %s', (event, name, properties) => {
    expect(body(event)).toMatchObject({ event: name, properties });
  });

  it('is a group by its type and key, or in the older form', () => {
    const event = { type: 'group', groupId: 'g', traits: { groupType: 'company', size: 5 } };
    expect(body(event, { useV2Group: true })['properties']).toMatchObject({
      $group_type: 'company',
      $group_key: 'g',
      $group_set: { size: 5 },
      $groups: { company: 'g' },
    });
    expect(body(event)).toMatchObject({ groupId: 'g', traits: { groupType: 'company', size: 5 } });
    expect(() => body({ ...event, groupId: '' }, { useV2Group: true })).toThrow('groupId are required');
  });

  it('travels with others under one key', () => {
    const [payload] = posthogTransform({ type: 'track', event: 'e', userId: 'u' }, config);
    if (!payload) throw new Error('no payload');
    const { body: combined, endpoint } = posthogBatch.combine([payload, payload]);
    expect(endpoint).toBe('https://eu.i.posthog.com/batch');
    expect(combined.JSON).toMatchObject({ api_key: 'k', batch: [{ event: 'e' }, { event: 'e' }] });
    expect(JSON.stringify(combined.JSON['batch'])).not.toContain('api_key');
  });

  it('needs somebody', () => {
    expect(() => posthogTransform({ type: 'track', event: 'e' }, config)).toThrow('userId or anonymousId is required');
  });
});
