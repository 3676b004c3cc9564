import { expect, it } from '@jest/globals';
import { printable } from './printable.js';

it('shows what is hidden, and leaves text of any language alone', () => {
  const hidden = 'a\u202Eb\u200Bc\u0000d\ufeff';
  expect(printable(hidden, 100).shown).toBe('a\\u202eb\\u200bc\\u0000d\\ufeff');
  expect(printable('مرحبا 日本 é\n😀', 100)).toEqual({ shown: 'مرحبا 日本 é\n😀', left: 0 });
});

it('clips, and says how much is left', () => {
  expect(printable('x'.repeat(1_000_000), 10)).toEqual({ shown: 'x'.repeat(10), left: 999_990 });
});
