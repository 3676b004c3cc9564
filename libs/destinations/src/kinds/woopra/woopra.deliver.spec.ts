import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada } from '../../../test/events.fixtures.js';
import { Vendor } from '../../../test/vendor.fixtures.js';
import { urlOf } from '../../delivery/send-payload.js';
import { WOOPRA_URL_LENGTH_MAX, woopraDeliver } from './woopra.deliver.js';
import woopra from './woopra.js';

const config = { projectName: 'example.com' };
const track = { ...ada, type: 'track', event: 'Report Opened' };

async function deliver(event: JsonObject) {
  const payloads = woopra.transform(event, config);
  const vendor = new Vendor('https://www.woopra.com/track/', {});
  await vendor.take(woopraDeliver, payloads, config);
  const sent = vendor.sent.map(({ url, urlLengthMax }) => ({ url, urlLengthMax, query: new URL(url).searchParams }));
  return { payloads, sent };
}
const from = (ip: unknown) => deliver({ ...track, context: { ip } });

describe('an event on the way to Woopra', () => {
  it.each(['192.0.2.1', '2001:db8::1'])(
    'is placed at %s, which the shown payload has only as a property',
    async (ip) => {
      const { payloads, sent } = await from(ip);
      expect(sent.map(({ query }) => [query.get('ip'), query.get('cv_ip')])).toEqual([[ip, ip]]);
      expect(payloads[0]?.params).not.toHaveProperty('ip');
    },
  );

  it.each(['somewhere', 7, undefined, '192.0.2.1, 192.0.2.2'])('is not placed at %j', async (ip) => {
    const { sent } = await from(ip);
    expect(sent.map(({ query }) => query.has('ip'))).toEqual([false]);
  });

  it('may have an address of 3 KB', async () => {
    const { payloads, sent } = await deliver({ ...track, properties: { note: 'x'.repeat(3_000) } });
    expect(payloads.map((payload) => urlOf(payload).length > 3_000)).toEqual([true]);
    expect(sent).toMatchObject([{ urlLengthMax: WOOPRA_URL_LENGTH_MAX }]);
  });

  it('is refused with 20 KB', () => {
    const long = { ...track, properties: { note: 'x'.repeat(20_000) } };
    expect(() => woopra.transform(long, config)).toThrow(
      'The event needs an address of more than 8192 characters, which Woopra cannot be sent',
    );
  });

  it('is refused by the address that is sent, with its place', async () => {
    const context = { ip: '2001:db8::1' };
    const withNote = (length: number) => ({ ...track, context, properties: { note: 'x'.repeat(length) } });
    const least = (await deliver(withNote(1))).sent[0]?.url.length ?? 0;
    const fitting = WOOPRA_URL_LENGTH_MAX - least + 1;
    const { sent } = await deliver(withNote(fitting));
    expect(sent[0]?.url).toHaveLength(WOOPRA_URL_LENGTH_MAX);
    expect(() => woopra.transform(withNote(fitting + 1), config)).toThrow('more than 8192 characters');
  });
});
