import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BodyScan } from './body-scan.js';

/** Scans a few bytes at a time. */
function scan(text: string, { listDepth = 2, depthMax = 64, bytes = 3 } = {}) {
  const scanned = new BodyScan(Buffer.from(text), { depthMax, listDepth });
  while (!scanned.isOver) scanned.advance(bytes);
  const { frame, frameWeight, items, isTooDeep } = scanned;
  return { frame, frameWeight, items, isTooDeep, texts: items.map((item) => scanned.textOf(item)) };
}

/** Joins frame and items again. Throws if one of them is not valid JSON. */
function joined(text: string): unknown {
  const { frame, texts } = scan(text);
  const items = texts.map((one) => JSON.parse(one) as unknown);
  const root: unknown = JSON.parse(frame);
  if (typeof root !== 'object' || root === null || Array.isArray(root)) return root;
  const whole = (value: unknown) => (Array.isArray(value) ? (value as number[]).map((number) => items[number]) : value);
  return Object.fromEntries(Object.entries(root).map(([key, value]) => [key, whole(value)]));
}

const isJson = (read: () => unknown): boolean => {
  try {
    read();
    return true;
  } catch {
    return false;
  }
};

describe('BodyScan', () => {
  it('separates the items of a list from the text around them', () => {
    expect(scan('{"batch": [{"a":[1,2]}, "x,]" ,3],"sentAt":"t"}')).toMatchObject({
      frame: '{"batch": [0,1,2],"sentAt":"t"}',
      texts: ['{"a":[1,2]}', ' "x,]" ', '3'],
    });
    expect(scan('[{"a":[1]},{}]', { listDepth: 1 })).toMatchObject({ frame: '[0,1]', texts: ['{"a":[1]}', '{}'] });
    expect(scan('{"batch":[1]}', { listDepth: 0 })).toMatchObject({ frame: '{"batch":[1]}', texts: [] });
  });

  it('says the same as JSON.parse of the whole, for whatever is JSON', () => {
    const key = fc.string().filter((one) => one !== '__proto__');
    const body = fc.dictionary(key, fc.jsonValue({ maxDepth: 4 }));
    fc.assert(
      fc.property(body, fc.constantFrom(0, 1, 2), (value, space) => {
        const text = JSON.stringify(value, undefined, space);
        expect(joined(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('agrees with JSON.parse wherever one character is replaced', () => {
    const text = '{"batch":[{"a":"b"},[1,{"c":null}],2],"sentAt":{"d":[true]}}';
    for (let at = 0; at < text.length; at += 1) {
      for (const other of ['', ...'{}[],:"1 \\']) {
        const changed = text.slice(0, at) + other + text.slice(at + 1);
        const whole = isJson(() => JSON.parse(changed));
        expect({ changed, isJson: isJson(() => joined(changed)) }).toEqual({ changed, isJson: whole });
      }
    }
  });

  it('finds depth, not inside of texts', () => {
    expect(scan('[[[]]]', { depthMax: 2 }).isTooDeep).toBe(true);
    expect(scan('["[[[[\\"[["]', { depthMax: 2 }).isTooDeep).toBe(false);
  });

  it('weighs by the cost of parsing', () => {
    const { items, frameWeight } = scan('{"x":{},"batch":[{"a":1},"{{{{{{"]}');
    expect([items.map(({ weight }) => weight), frameWeight]).toEqual([[3, 0], 10]);
  });
});
