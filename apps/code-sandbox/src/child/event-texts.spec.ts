import { expect, it } from '@jest/globals';
import { splitTexts } from './event-texts.js';

it.each([
  [['{"a":1}', '{}'], ['{"b":22}']],
  [['{"ü":"😀"}', '{}'], ['{"ascii":1}']],
])('splitTexts tells where each event ends: %j', (...groups) => {
  const bytes = groups.map((group) => group.map((text) => Buffer.byteLength(text)));
  const { joined, lengths } = splitTexts(Buffer.from(groups.flat().join()), bytes);
  let at = 0;
  const cut = lengths.map((group) =>
    group.map((length) => {
      at += length + 1;
      return joined.slice(at - length - 1, at - 1);
    }),
  );
  expect(cut).toEqual(groups);
});
