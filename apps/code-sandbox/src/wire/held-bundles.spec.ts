import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { HeldBundles } from './held-bundles.js';

const CHARS_MAX = 100;
const bundleOf = (chars: number) => {
  const libraries = [{ importName: 'l', code: 'x'.repeat(Math.floor(chars / 2)) }];
  return { key: 'k', name: 'n', code: 'x'.repeat(Math.ceil(chars / 2)), libraries };
};

describe('held bundles', () => {
  it('are the same at both ends of a socket, whatever is used', () => {
    const used = fc.record({ n: fc.nat(12), chars: fc.nat(CHARS_MAX + 20) });
    fc.assert(
      fc.property(fc.array(used, { maxLength: 60 }), (uses) => {
        const [ours, theirs] = [new HeldBundles<true>(CHARS_MAX), new HeldBundles<number>(CHARS_MAX)];
        for (const { n, chars } of uses) {
          const digest = `${n}/${chars}`;
          const isHeld = ours.use(digest);
          expect(theirs.use(digest)).toBe(isHeld && n);
          if (isHeld) continue;
          ours.hold(digest, bundleOf(chars), true);
          theirs.hold(digest, bundleOf(chars), n);
        }
      }),
    );
  });

  it('make room when they are used longest ago, for no more than the limit', () => {
    const held = new HeldBundles<number>(CHARS_MAX);
    for (const n of [1, 2, 3]) held.hold(`${n}`, bundleOf(30), n);
    held.use('1');
    held.hold('4', bundleOf(40), 4);
    expect(['1', '2', '3', '4'].map((digest) => held.use(digest))).toEqual([1, undefined, 3, 4]);
  });

  it('hold one that is longer than the limit, alone', () => {
    const held = new HeldBundles<number>(CHARS_MAX);
    held.hold('1', bundleOf(30), 1);
    held.hold('2', bundleOf(300), 2);
    expect([held.use('1'), held.use('2')]).toEqual([undefined, 2]);
    held.hold('3', bundleOf(30), 3);
    expect([held.use('2'), held.use('3')]).toEqual([undefined, 3]);
  });
});
