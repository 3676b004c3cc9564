import { describe, expect, it } from '@jest/globals';
import { BATCHING_VENDORS } from '../../test/batching-vendors.fixtures.js';
import { BAD, deliverAll, isBad, limitedVendor } from '../../test/limited-vendor.fixtures.js';

type Refused = readonly { place: number; item: unknown }[];

const brazeErrors = (input_array: string) => (refused: Refused) => ({
  message: 'success',
  errors: refused.map(({ place }) => ({ type: 'bad', input_array, index: place })),
});

/** How vendors name the refused events of a request that they take otherwise. */
const PARTIAL_ANSWERS: readonly (readonly [kind: string, status: number, answer: (refused: Refused) => object])[] = [
  ['BRAZE events', 201, brazeErrors('events')],
  ['BRAZE attributes', 201, brazeErrors('attributes')],
  [
    'CLEVERTAP',
    200,
    (refused) => ({ status: 'partial', unprocessed: refused.map(({ item }) => ({ status: 'fail', record: item })) }),
  ],
  [
    'HS contacts',
    207,
    (refused) => ({ errors: refused.map(({ place }) => ({ context: { objectWriteTraceId: [String(place)] } })) }),
  ],
  ['MP', 400, (refused) => ({ failed_records: refused.map(({ place }) => ({ index: place, message: 'bad' })) })],
];

const vendorOf = (name: string) => {
  const vendor = BATCHING_VENDORS.find(({ kind }) => kind === name);
  if (!vendor) throw new Error(`no vendor ${name}`);
  return vendor;
};

describe.each(PARTIAL_ANSWERS)('%s that answers %i', (name, status, answer) => {
  it('has taken all but the events that it names, and nothing is sent again', async () => {
    const vendor = vendorOf(name);
    let requests = 0;
    const { outbound } = limitedVendor(vendor.limits, (names, items) => {
      requests += 1;
      const refused = items.map((item, place) => ({ place, item })).filter(({ place }) => isBad(names[place] ?? ''));
      return [status, answer(refused)];
    });
    const events = ['First', `${BAD}1`, 'Second', `${BAD}2`, 'Last'].map((event) => vendor.event(event, ''));
    const results = await deliverAll(vendor.kind, vendor.config, outbound, events);
    expect(results.map((result) => result.status >= 400)).toEqual([false, true, false, true, false]);
    expect(requests).toBe(1);
  });
});

describe.each(BATCHING_VENDORS.map((vendor) => [vendor.kind, vendor] as const))('%s', (_, vendor) => {
  it.each([401, 429, 500, 503])('that answers %i to a batch has all of it tried again, unsplit', async (status) => {
    let requests = 0;
    const { outbound } = limitedVendor(vendor.limits, () => {
      requests += 1;
      return [status, {}];
    });
    const events = ['First', 'Last'].map((event) => vendor.event(event, ''));
    const results = await deliverAll(vendor.kind, vendor.config, outbound, events);
    expect(results.map((result) => result.status)).toEqual([status, status]);
    expect(requests).toBe(1);
  });
});

it('Amplitude that finds a user too busy takes the events of others, and only those of that user are tried again', async () => {
  const vendor = vendorOf('AM');
  const { outbound, taken } = limitedVendor(vendor.limits, (names) =>
    names.some(isBad) ? [429, { code: 429, throttled_users: { busy: 31 }, throttled_events: [1] }] : [200, {}],
  );
  const events = ['First', BAD, 'Last'].map((event) => vendor.event(event, ''));
  const results = await deliverAll(vendor.kind, vendor.config, outbound, events);
  expect(results.map(({ status }) => status)).toEqual([200, 503, 200]);
  expect(taken).toEqual([['First'], ['Last']]);
});

it('Amplitude that finds the whole project too busy is asked again later, once', async () => {
  const vendor = vendorOf('AM');
  let requests = 0;
  const { outbound } = limitedVendor(vendor.limits, () => {
    requests += 1;
    return [429, { code: 429, throttled_users: {}, throttled_events: [] }];
  });
  const results = await deliverAll(
    vendor.kind,
    vendor.config,
    outbound,
    ['a', 'b'].map((event) => vendor.event(event, '')),
  );
  expect(results.map(({ status }) => status)).toEqual([429, 429]);
  expect(requests).toBe(1);
});

it('a vendor that fails after a request has taken that one, and only the rest is tried again', async () => {
  const vendor = vendorOf('BRAZE events');
  let requests = 0;
  const { outbound, taken } = limitedVendor(vendor.limits, () => {
    requests += 1;
    return requests === 1 ? [201, {}] : [503, {}];
  });
  const names = Array.from({ length: 60 }, (_, index) => `e${index}`);
  const events = names.map((name) => vendor.event(name, ''));
  const statuses = (await deliverAll(vendor.kind, vendor.config, outbound, events)).map(({ status }) => status);
  expect(taken.flat()).toEqual(names.slice(0, 50));
  expect(statuses).toEqual([...Array(50).fill(201), ...Array(10).fill(503)]);
});
