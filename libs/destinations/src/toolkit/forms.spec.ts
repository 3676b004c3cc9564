import { describe, expect, it } from '@jest/globals';
import { isEmail } from './forms.js';

describe('an e-mail address', () => {
  it.each(['a@b.c', 'ada+1@mail.example.com', 'a@.b.c', 'ä@ö.ü', `${'a'.repeat(314)}@b.com`])('is %s', (text) => {
    expect(isEmail(text)).toBe(true);
  });

  it.each([
    ...['', 'ada', '@b.c', 'a@', 'a@b', 'a@b.', 'a@.b', 'a@b@c.d', 'a b@c.d', 'a@b.c\n', 'a@b .c'],
    ...[`${'a'.repeat(320)}@b.c`, `a@${'.'.repeat(500_000)}@`],
  ])('is not %.40s', (text) => {
    expect(isEmail(text)).toBe(false);
  });
});
