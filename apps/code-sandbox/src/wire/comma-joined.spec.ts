import { expect, it } from '@jest/globals';
import { commaJoined } from './comma-joined.js';

const text = Buffer.from('[{"a":1},{"b":2} {"c":3},{"d":4}]');
const [a, b, c, d] = [1, 9, 17, 25].map((at) => text.subarray(at, at + 7)) as [Buffer, Buffer, Buffer, Buffer];

it.each([
  ['nothing', [], []],
  ['one part', [b], ['{"b":2}']],
  ['neighbours with a comma between them', [a, b], ['{"a":1},{"b":2}']],
  ['neighbours with another byte between them', [b, c, d], ['{"b":2}', ',', '{"c":3},{"d":4}']],
  ['another order', [b, a], ['{"b":2}', ',', '{"a":1}']],
  ['a part that is left out', [a, d], ['{"a":1}', ',', '{"d":4}']],
  ['parts of other texts', [a, Buffer.from('x'), b], ['{"a":1}', ',', 'x', ',', '{"b":2}']],
])('commaJoined puts a comma between the parts: %s', (_what, parts, expected) => {
  expect(commaJoined(parts).map(String)).toEqual(expected);
});
