import { describe, expect, it } from '@jest/globals';
import { codeOfLink, providerAddress, refusalIn } from './sign-in.js';

describe('the ways in', () => {
  it('take the code of a link from behind the #', () => {
    expect(codeOfLink('#code=abc')).toBe('abc');
    expect(codeOfLink('#')).toBeUndefined();
  });

  it('lead back from the provider to the page that was asked for', () => {
    expect(providerAddress('/console/code?tab=a&b')).toBe('/console/login?returnTo=%2Fconsole%2Fcode%3Ftab%3Da%26b');
  });

  it('say why the provider sent somebody away, in words of their own', () => {
    expect(refusalIn('?signIn=no-access')).toMatch(/groups/);
    for (const word of ['<script>', 'constructor']) expect(refusalIn(`?signIn=${word}`)).toBeUndefined();
    expect(refusalIn('')).toBeUndefined();
  });
});
