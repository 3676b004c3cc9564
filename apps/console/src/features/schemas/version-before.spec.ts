import { expect, it } from '@jest/globals';
import { versionBefore } from './version-before.js';

it('the version before is the one that was new before, whatever came last', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((VersionID, at) => ({ VersionID, FirstSeen: `2026-01-0${at + 1}` }));
  const all = [c, a, b].flatMap((one) => one ?? []);
  expect(all.map((one) => versionBefore(all, one)?.VersionID)).toEqual(['b', undefined, 'a']);
});
