import { describe, expect, it } from '@jest/globals';
import { KnownBundles } from './known-bundles.js';

const bundleOf = (key: string, code = '') => ({ key, name: 'n', code, libraries: [] });
const jsonOf = (bundle: object) => Buffer.from(JSON.stringify(bundle));
const AROUND = '{"bundle":';

/** The bundle that is recognised in the middle of a request. */
const found = (known: KnownBundles, bundle: object) => {
  const request = Buffer.concat([Buffer.from(AROUND), jsonOf(bundle), Buffer.from(',"events":[]}')]);
  return known.at(request, AROUND.length)?.bundle;
};

describe('known bundles', () => {
  it('are recognised by all of their bytes', () => {
    const [known, bundle] = [new KnownBundles(), bundleOf('k'.repeat(100), 'one')];
    known.keep(jsonOf(bundle), bundle);
    expect(found(known, bundle)).toBe(bundle);
    for (const other of ['two', 'on', 'ones', '']) expect(found(known, { ...bundle, code: other })).toBeUndefined();
    expect(found(known, { ...bundle, more: 1 })).toBeUndefined();
  });

  it('do not change with the request that they came in', () => {
    const [known, bundle] = [new KnownBundles(), bundleOf('k'.repeat(100))];
    const json = jsonOf(bundle);
    known.keep(json, bundle);
    json.fill('x');
    expect(found(known, bundle)).toBe(bundle);
  });

  it('make room when they were used longest ago', () => {
    const bundles = ['a', 'b', 'c'].map((key) => bundleOf(key.repeat(64), 'x'.repeat(100)));
    const size = jsonOf(bundles[0] ?? {}).length;
    const known = new KnownBundles(2 * size);
    const [a, b, c] = bundles.map((bundle) => () => found(known, bundle));
    known.keep(jsonOf(bundles[0] ?? {}), bundles[0] ?? bundleOf(''));
    known.keep(jsonOf(bundles[1] ?? {}), bundles[1] ?? bundleOf(''));
    expect(a?.()).toBe(bundles[0]);
    known.keep(jsonOf(bundles[2] ?? {}), bundles[2] ?? bundleOf(''));
    expect([a?.(), b?.(), c?.()]).toEqual([bundles[0], undefined, bundles[2]]);
  });

  it('never hold one that is longer than all may be', () => {
    const [known, bundle] = [new KnownBundles(100), bundleOf('k'.repeat(100))];
    known.keep(jsonOf(bundle), bundle);
    expect(found(known, bundle)).toBeUndefined();
  });
});
