import { describe, expect, it } from '@jest/globals';
import { answering } from '../../test/answering.fixtures.js';
import type { OutboundRequest } from '../kind.js';
import facebookConversions from '../kinds/facebook_conversions/facebook_conversions.js';
import { conversionsBatch, conversionsDeliver } from './deliver.js';

const config = { datasetId: 'd', accessToken: 't', actionSource: 'website' };
const payloadsOf = (event: string, test: object = {}) => {
  const timestamp = new Date().toISOString();
  return facebookConversions.transform({ type: 'track', userId: 'ada', event, timestamp }, { ...config, ...test });
};

describe('events for Facebook in one request', () => {
  it('travel as one JSON array', async () => {
    const requests: OutboundRequest[] = [];
    const payload = conversionsBatch.combine([...payloadsOf('a'), ...payloadsOf('b')]);
    await conversionsDeliver(payload, config, answering(200, {}, requests), {});
    const data = new URLSearchParams(requests[0]?.body).get('data');
    expect(JSON.parse(String(data))).toMatchObject([{ event_name: 'a' }, { event_name: 'b' }]);
  });

  it('are of the same test', () => {
    const test = { testDestination: true, testEventCode: 'T1' };
    const keys = [...payloadsOf('a'), ...payloadsOf('b'), ...payloadsOf('a', test)].map(conversionsBatch.keyOf);
    expect(keys[0]).toBe(keys[1]);
    expect(keys[0]).not.toBe(keys[2]);
  });
});

describe('what Facebook answers', () => {
  it.each<[number, unknown, number]>([
    [200, { events_received: 1 }, 200],
    [400, { error: { code: 100 } }, 400],
    [400, { error: { code: 1 } }, 500],
    [400, { error: { code: 2 } }, 500],
    [400, { error: { code: 4 } }, 429],
    [400, { error: { code: 17 } }, 429],
    [400, { error: { code: 341 } }, 429],
    [400, { error: { code: 80_004 } }, 429],
    [400, { error: { code: 100, is_transient: true } }, 500],
    [400, { error: { code: 190 } }, 401],
    [400, { error: { code: 102 } }, 401],
    [502, 'Bad Gateway', 502],
  ])('with %i %j means %i', async (status, body, meant) => {
    const [payload] = payloadsOf('a');
    if (!payload) throw new Error('no payload');
    const result = await conversionsDeliver(payload, config, answering(status, body), {});
    expect(result).toEqual({ status: meant, response: body });
  });
});
