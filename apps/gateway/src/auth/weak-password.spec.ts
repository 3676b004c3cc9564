import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { weaknessOf } from './weak-password.js';

describe('weaknessOf', () => {
  it.each([
    ['admin', 'is a well-known password'],
    ['ChangeMe123', 'is a well-known password'],
    ['password2026', 'is a well-known password'],
    ['letmein', 'is a well-known password'],
    ['operator', 'is the user name'],
    ['Operator2026', 'is the user name'],
    ['short-one', 'has fewer than 12 characters'],
    ['aaaaaaaaaaaaaaaa', 'repeats the same few characters'],
    ['121212121212121212', 'repeats the same few characters'],
  ])('%p: %s', (password, weakness) => {
    expect(weaknessOf('operator', password)).toBe(weakness);
  });

  it.each(['operator-password', 'of-the-operator', 'correct horse battery', randomBytes(10).toString('hex')])(
    'takes %p',
    (password) => {
      expect(weaknessOf('operator', password)).toBeUndefined();
    },
  );
});
