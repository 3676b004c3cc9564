import { describe, expect, it } from '@jest/globals';
import { BATCHING_VENDORS, type BatchingVendor } from '../../test/batching-vendors.fixtures.js';
import { BAD, deliverAll, kindOf, limitedVendor } from '../../test/limited-vendor.fixtures.js';
import type { DestinationKind } from '../kind.js';
import * as kinds from '../kinds/index.js';

const LARGE = 'ä'.repeat(10_000);

async function delivered({ kind, config, limits, event }: BatchingVendor, names: readonly string[], text = '') {
  const { outbound, taken } = limitedVendor(limits);
  const events = names.map((name) => event(name, text));
  const statuses = (await deliverAll(kind, config, outbound, events)).map(({ status }) => status);
  return { statuses, requests: taken.map((taken) => taken.map((name) => name.split('@')[0])) };
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `e${index}`);
const ruleOf = ({ kind, config }: BatchingVendor) => kindOf(kind).batch?.(config);

it('every kind that batches has a vendor with limits', () => {
  const namesOf = (kinds: DestinationKind[]) => [...new Set(kinds.map(({ definition }) => definition.name))].sort();
  const tested = BATCHING_VENDORS.map(({ kind }) => kindOf(kind));
  expect(namesOf(tested)).toEqual(namesOf(Object.values<DestinationKind>(kinds).filter(({ batch }) => batch)));
});

describe.each(BATCHING_VENDORS.map((vendor) => [vendor.kind, vendor] as const))('requests to %s', (_, vendor) => {
  it('hold as many events as the vendor allows at most, in order', async () => {
    const names = numbered((ruleOf(vendor)?.itemsMax ?? 0) + 1);
    const { statuses, requests } = await delivered(vendor, names);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(requests.flat()).toEqual(names);
    expect(requests).toHaveLength(2);
  });

  it('lose only the event that the vendor refuses', async () => {
    const { statuses, requests } = await delivered(vendor, ['First', BAD, 'Last']);
    expect(statuses).toEqual([200, 400, 200]);
    expect(requests.flat()).toEqual(['First', 'Last']);
  });
});

const ofBytes = BATCHING_VENDORS.filter(({ limits }) => limits.bytesMax !== undefined);

describe.each(ofBytes.map((vendor) => [vendor.kind, vendor] as const))('large events for %s', (_, vendor) => {
  it('are spread over requests of the size that the vendor allows, in order', async () => {
    const names = numbered(Math.ceil((ruleOf(vendor)?.bytesMax ?? 0) / Buffer.byteLength(LARGE)) + 1);
    const { statuses, requests } = await delivered(vendor, names, LARGE);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(requests.flat()).toEqual(names);
    expect(requests.length).toBeGreaterThan(1);
    expect(requests.length).toBeLessThan(names.length);
  });
});

const ofEvents = BATCHING_VENDORS.filter(({ limits }) => limits.itemBytesMax !== undefined);

it.each(ofEvents.map((vendor) => [vendor.kind, vendor] as const))(
  '%s loses only an event that is too large',
  async (_, vendor) => {
    const { outbound, taken } = limitedVendor(vendor.limits);
    const events = [vendor.event('First', ''), vendor.event('Second', LARGE.repeat(2)), vendor.event('Last', '')];
    const results = await deliverAll(vendor.kind, vendor.config, outbound, events);
    expect(results.map(({ status }) => status)).toEqual([200, 400, 200]);
    expect(taken.flat()).toEqual(['First', 'Last']);
  },
);
