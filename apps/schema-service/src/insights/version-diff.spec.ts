import { expect, it } from '@jest/globals';
import { diffOf } from './version-diff.js';

const before = { row: 'string', seat: 'float64', price: 'float64,string' };

it.each<[string, Record<string, string>, string]>([
  ['nothing changed', { price: 'float64,string', row: 'string', seat: 'float64' }, 'identical'],
  ['a key came', { ...before, coupon: 'string' }, 'compatible'],
  ['a key lost one of its types', { ...before, price: 'float64' }, 'compatible'],
  ['a key went', { row: 'string', seat: 'float64' }, 'breaking'],
  ['a key has another type', { ...before, seat: 'string' }, 'breaking'],
  ['a key has a further type', { ...before, seat: 'float64,string' }, 'breaking'],
])('when %s', (_, after, compatibility) => expect(diffOf(before, after).Compatibility).toBe(compatibility));

it('names every difference in order of the keys', () => {
  expect(diffOf(before, { seat: 'string', zone: 'bool', aisle: 'string', price: 'float64,string' })).toEqual({
    Compatibility: 'breaking',
    Added: [
      { Key: 'aisle', Types: 'string' },
      { Key: 'zone', Types: 'bool' },
    ],
    Removed: [{ Key: 'row', Types: 'string' }],
    Changed: [{ Key: 'seat', From: 'float64', To: 'string' }],
    Complete: true,
  });
});

it('says so when not everything fits one message', () => {
  const wide = (prefix: string) =>
    Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`${prefix}${'€'.repeat(130)}${at}`, 'string']));
  const diff = diffOf(wide('a'), wide('b'));
  expect(diff.Complete).toBe(false);
  expect(diff.Removed).toHaveLength(1_000);
  expect(diff.Added.length).toBeGreaterThan(500);
  expect(Buffer.byteLength(JSON.stringify(diff))).toBeLessThan(800_000);
});
