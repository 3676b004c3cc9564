import { describe, expect, it } from '@jest/globals';
import { CODE_BYTES_MAX } from '@weir/contracts';
import {
  checkCode,
  checkDescription,
  checkName,
  DESCRIPTION_CHARS_MAX,
  importNameOf,
  NAME_CHARS_MAX,
} from './fields.js';

describe('fields', () => {
  it('are taken up to their limits', () => {
    expect(checkName('n'.repeat(NAME_CHARS_MAX))).toHaveLength(NAME_CHARS_MAX);
    expect(checkDescription('')).toBe('');
    expect(checkCode('c'.repeat(CODE_BYTES_MAX - 2))).toHaveLength(CODE_BYTES_MAX - 2);
  });

  it('are refused by name beyond them', () => {
    expect(() => checkName(' ')).toThrow('name must not be empty');
    expect(() => checkCode('\n')).toThrow('code must not be empty');
    expect(checkName('  Two words ')).toBe('Two words');
    expect(() => checkName('n'.repeat(NAME_CHARS_MAX + 1))).toThrow('name must have at most');
    expect(() => checkDescription('d'.repeat(DESCRIPTION_CHARS_MAX + 1))).toThrow('description must have at most');
    expect(() => checkDescription('a\u0000')).toThrow('description must not contain');
  });

  it('count code as it travels', () => {
    const quotes = '"'.repeat(CODE_BYTES_MAX / 2);
    expect(() => checkCode(quotes)).toThrow(expect.objectContaining({ code: 'too_large' }));
  });
});

describe('importNameOf', () => {
  it.each([
    ['Currency Rates3', 'currencyRates3'],
    ['HTTP helpers V2', 'httpHelpersV2'],
    ['snake_case-and kebab', 'snakeCaseAndKebab'],
    ['alreadyCamel', 'alreadyCamel'],
    ['Größe', 'grosse'],
    ['1st Place', '1stPlace'],
    ['my 2nd helper', 'my2ndHelper'],
    ['TOP 3RD quartile', 'top3rdQuartile'],
    ['11th hour', '11ThHour'],
    ['v21st', 'v21st'],
  ])('%s -> %s', (name, importName) => {
    expect(importNameOf(name)).toBe(importName);
  });

  it('refuses a name that nothing could import', () => {
    expect(() => importNameOf('--- !')).toThrow('name must contain a letter or a digit');
  });
});
