import { expect, it } from '@jest/globals';
import { seen } from './draft.js';

const begun = { base: { name: 'a' }, value: { name: 'mine' }, etag: '"1"' };

it('follows the server while nothing is typed, and once both say the same', () => {
  const stored = { value: { name: 'b' }, etag: '"2"' };
  expect(seen(stored, null)).toEqual({ ...stored, isChanged: false });
  expect(seen(stored, { ...begun, value: begun.base })).toEqual({ ...stored, isChanged: false });
  expect(seen({ value: { name: 'mine' }, etag: '"2"' }, begun)).toMatchObject({ etag: '"2"', isChanged: false });
});

it('keeps what was typed, under a newer tag if the value behind it is the same', () => {
  const stored = { value: { name: 'a' }, etag: '"2"' };
  expect(seen(stored, begun)).toEqual({ value: { name: 'mine' }, etag: '"2"', isChanged: true });
});

it('keeps the tag of the beginning if somebody else stored another value, and shows it', () => {
  const stored = { value: { name: 'theirs' }, etag: '"2"' };
  expect(seen(stored, begun)).toEqual({
    value: { name: 'mine' },
    etag: '"1"',
    isChanged: true,
    theirs: { name: 'theirs' },
  });
});
