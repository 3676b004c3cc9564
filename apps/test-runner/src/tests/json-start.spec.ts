import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { jsonStart } from './json-start.js';

it('is the JSON of what is short, and the beginning of any other', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(60), (text, length) => {
      const value: unknown = JSON.parse(text);
      const whole = JSON.stringify(value);
      const start = jsonStart(value, length);
      if (whole.length <= length) expect(start).toBe(whole);
      else expect([start.length > length, start.slice(0, length)]).toEqual([true, whole.slice(0, length)]);
    }),
  );
  expect(jsonStart(undefined, 5)).toBe('nothing');
  expect(jsonStart({ a: undefined, b: 1 }, 50)).toBe('{"b":1}');
});
