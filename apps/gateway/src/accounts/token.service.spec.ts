import { describe, expect, it } from '@jest/globals';
import { emailMatches, hashOf, newToken } from './token.service.js';

describe('newToken', () => {
  it('has 256 bits behind its prefix and never comes twice', () => {
    const tokens = Array.from({ length: 100 }, newToken);
    expect(new Set(tokens).size).toBe(100);
    for (const token of tokens) expect(token).toMatch(/^weir_[\w-]{43}$/);
  });
});

it('hashes with SHA-256', () => {
  expect(hashOf('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

describe('emailMatches', () => {
  it.each([
    ['Ada@Example.com', true],
    ['', true],
    [undefined, true],
    ['eve@example.com', false],
    ['ada@example.com ', false],
  ])('%p: %p', (given, expected) => {
    expect(emailMatches(given, 'ada@example.com')).toBe(expected);
  });
});
