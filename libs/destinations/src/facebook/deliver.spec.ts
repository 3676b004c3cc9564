import { describe, expect, it } from '@jest/globals';
import { answering } from '../../test/answering.fixtures.js';
import { sessionOf } from '../delivery/batch-session.js';
import type { Outbound, OutboundRequest } from '../kind.js';
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
    [500, { error: { code: 190 } }, 401],
    [500, { error: { code: 3, error_subcode: 10 } }, 403],
    [400, { error: { code: 10 } }, 403],
    [400, { error: { code: 200 } }, 403],
    [400, { error: { code: 299 } }, 403],
    [404, { error: { code: 100, error_subcode: 34 } }, 400],
    [500, { error: { code: 100 } }, 400],
    [500, { error: { code: 506 } }, 400],
    [400, { error: { code: 100, error_subcode: 2_804_003, is_transient: false } }, 400],
    [400, { error: { code: 21_009 } }, 500],
    [412, { error: { code: 5, error_subcode: 12 } }, 500],
    [400, { error: { message: 'no code' } }, 400],
    [400, { error: { is_transient: true } }, 500],
    [400, 'Bad Request', 400],
    [503, { error: { code: 7 } }, 500],
    [502, 'Bad Gateway', 502],
  ])('with %i %j means %i', async (status, body, meant) => {
    const [payload] = payloadsOf('a');
    if (!payload) throw new Error('no payload');
    const result = await conversionsDeliver(payload, config, answering(status, body), {});
    expect(result).toEqual({ status: meant, response: body });
  });
});

describe('a batch that Facebook refuses', () => {
  it.each<[string, object, number[]]>([
    ['with a code that it does not document is sent one by one', { code: 21_009 }, [200, 500, 200]],
    ['with a code of bad events is sent one by one', { code: 100 }, [200, 400, 200]],
    ['for now is tried again as a whole', { code: 2 }, [500, 500, 500]],
    ['with an undocumented code for now is tried again as a whole', { code: 9, is_transient: true }, [500, 500, 500]],
  ])('%s', async (_, error, expected) => {
    const vendor: Outbound = {
      ...answering(200, {}),
      request: async (request) => {
        const isBad = request.body?.includes('odd') ?? false;
        return answering(isBad ? 400 : 200, isBad ? { error } : {}).request(request);
      },
    };
    const payloads = ['a', 'odd', 'b'].flatMap((event) => payloadsOf(event));
    const items = payloads.map((payload, index) => ({ payload, idempotencyKey: String(index) }));
    const results = await sessionOf(facebookConversions, config, vendor)?.session.deliver(items);
    expect(results?.map(({ status }) => status)).toEqual(expected);
  });
});
