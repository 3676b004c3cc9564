import { expect, it } from '@jest/globals';
import { Statistics } from '../aggregation/statistics.js';
import { FREQUENT_VALUES_BYTES_MAX, metadataOf } from './metadata.js';

it('lists fewer values of every path rather than fewer paths when the reply would be too large', async () => {
  const statistics = Statistics.none('model');
  const paths = 250;
  for (let path = 0; path < paths; path += 1) {
    for (let at = 0; at < 60; at += 1) statistics.values.observe(`path ${path}`, `${at} ${'x'.repeat(50)}`);
    statistics.values.observe(`path ${path}`, 'twice');
    statistics.values.observe(`path ${path}`, 'twice');
  }
  const { FrequentValues } = metadataOf({ totalCount: 62 }, await Statistics.sum('model', [statistics.encode()]));

  expect(Buffer.byteLength(JSON.stringify(FrequentValues))).toBeLessThanOrEqual(FREQUENT_VALUES_BYTES_MAX);
  expect(Object.keys(FrequentValues)).toHaveLength(paths);
  for (const values of Object.values(FrequentValues)) {
    expect(values.length).toBeGreaterThanOrEqual(10);
    expect(values[0]).toEqual({ Value: 'twice', Frequency: 2 });
  }
});
