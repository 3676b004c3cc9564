import { describe, expect, it } from '@jest/globals';
import { answering } from '../../../test/answering.fixtures.js';
import tiktokAds, { tiktokAdsBatch, tiktokAdsDeliver } from './tiktok_ads.js';

const config = { accessToken: 't', pixelCode: 'P1', version: 'v2' };
const payloadOf = (properties = {}) => {
  const event = { type: 'track', event: 'Search', timestamp: '2026-03-04T05:06:07Z', properties };
  const [payload] = tiktokAds.transform(event, config);
  if (!payload) throw new Error('no payload');
  return payload;
};

describe('what TikTok answers', () => {
  it.each([
    [200, { code: 0, message: 'OK' }, 200],
    [200, { code: 20_001, message: 'in part' }, 200],
    [200, { code: 40_001, message: 'no permission' }, 400],
    [200, { code: 40_100, message: 'too many' }, 429],
    [200, { code: 50_002, message: 'later' }, 500],
    [502, 'Bad Gateway', 502],
    [200, 'taken', 200],
  ])('with %i %j means %i', async (status, body, meant) => {
    const result = await tiktokAdsDeliver(payloadOf(), config, answering(status, body), {});
    expect(result).toEqual({ status: meant, response: body });
  });
});

describe('events for TikTok in one request', () => {
  it('are of the same test', () => {
    const payloads = [payloadOf(), payloadOf({ query: 'q' })];
    expect(tiktokAdsBatch.combine(payloads).body.JSON['data']).toHaveLength(2);
    expect(new Set(payloads.map(tiktokAdsBatch.keyOf))).toHaveProperty('size', 1);
    expect(tiktokAdsBatch.keyOf(payloadOf({ testEventCode: 'T' }))).not.toBe(tiktokAdsBatch.keyOf(payloadOf()));
  });
});
