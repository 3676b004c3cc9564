import { expect, it } from '@jest/globals';
import { storable } from './storable.js';

it('replaces what the API refuses, in values and keys at any depth, and nothing else', () => {
  const event = { event: 'a\0b', properties: { 'k\0': ['\ud800', 1, null, true, '😀'] } };
  expect(storable(event)).toEqual({ event: 'a\uFFFDb', properties: { 'k\uFFFD': ['\uFFFD', 1, null, true, '😀'] } });
});
