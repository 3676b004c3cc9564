import { expect, it } from '@jest/globals';
import { COUNTERS_BYTES_MAX } from './limits.js';
import { withoutValues } from './stored-counters.js';
import { ValueTable } from './value-table.js';

it('survives storing', () => {
  const table = new ValueTable(10);
  for (let at = 0; at < 500; at += 1) table.observe('__proto__', `v${at % 3}`);
  table.observe('a.b', 'x"\uFFFD\n');
  const again = ValueTable.decode(table.encode(), 10);

  expect(JSON.stringify(again.frequent(100))).toBe(JSON.stringify(table.frequent(100)));
  expect(Object.keys(again.frequent(100))).toEqual(['__proto__', 'a.b']);
  again.merge(table);
  expect(again.frequent(100)['a.b']).toEqual([{ Value: 'x"\uFFFD\n', Frequency: 2 }]);
});

it('gives counters to the first paths only', () => {
  const table = new ValueTable(2);
  for (const path of ['a', 'b', 'c', 'a']) table.observe(path, 'x');
  expect(Object.keys(table.frequent(100))).toEqual(['a', 'b']);
});

it('keeps the most frequent values when all together are too large to store', () => {
  const table = new ValueTable(256);
  for (let path = 0; path < 100; path += 1) {
    for (let value = 0; value < 200; value += 1) table.observe(`path ${path}`, `${value} ${'x'.repeat(240)}`);
    for (let times = 0; times < 3; times += 1) table.observe(`path ${path}`, 'often');
  }
  const stored = table.encode();
  expect(Buffer.byteLength(stored)).toBeLessThanOrEqual(COUNTERS_BYTES_MAX);
  const again = ValueTable.decode(stored, 256);
  expect(again.frequent(1)['path 99']).toEqual([{ Value: 'often', Frequency: 3 }]);
});

it('forgets values without forgetting that the path was observed', () => {
  const table = new ValueTable(10);
  for (let at = 0; at < 300; at += 1) table.observe('email', at < 298 ? 'ada@example.com' : `other${at}`);
  expect(withoutValues(table.encode(), (value) => value === 'nobody')).toBeUndefined();
  const left = withoutValues(table.encode(), (value, path) => path === 'email' && value.startsWith('ada'));
  expect(ValueTable.decode(left ?? '', 10).frequent(100)).toEqual({}); // 1 of 300 observations is not frequent
});
