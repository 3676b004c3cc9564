import { describe, expect, it } from '@jest/globals';
import { CODE_BYTES_MAX, NAME_CHARS_MAX } from '@weir/contracts';
import {
  checkCode,
  checkDescription,
  checkedImportName,
  checkLanguage,
  checkLanguageKept,
  checkName,
  checkRunnable,
  DESCRIPTION_CHARS_MAX,
  importsOf,
  requireCode,
} from './fields.js';

describe('fields', () => {
  it('are taken up to their limits', () => {
    expect(checkName('n'.repeat(NAME_CHARS_MAX))).toHaveLength(NAME_CHARS_MAX);
    expect([checkDescription(''), checkCode('')]).toEqual(['', '']);
    expect(checkCode('c'.repeat(CODE_BYTES_MAX - 2))).toHaveLength(CODE_BYTES_MAX - 2);
  });

  it('are refused by name beyond them', () => {
    expect(() => checkName(' ')).toThrow('name must not be empty');
    expect(() => requireCode('\n')).toThrow('code must not be empty');
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

it('a library needs a name that can be imported', () => {
  expect(checkedImportName('Currency Rates')).toBe('currencyRates');
  expect(() => checkedImportName('--- !')).toThrow('name must contain a letter or a digit');
});

describe('languages', () => {
  it('default to JavaScript, and no other is stored', () => {
    expect([checkLanguage(), checkLanguage('javascript')]).toEqual(['javascript', 'javascript']);
    for (const other of ['python', 'pythonfaas', 'cobol', '']) {
      expect(() => checkLanguage(other)).toThrow('language must be javascript');
    }
  });

  it('never change', () => {
    for (const same of [undefined, 'javascript']) checkLanguageKept({ name: 'T', language: 'javascript' }, same);
    expect(() => checkLanguageKept({ name: 'T', language: 'javascript' }, 'python')).toThrow('it is javascript');
  });

  it('of drafts from before this rule are told, and nothing builds on them', () => {
    const stored = { name: 'T', language: 'python' };
    expect(() => checkLanguageKept(stored, 'javascript')).toThrow('language cannot change: it is python');
    expect(() => checkLanguageKept(stored, undefined)).toThrow('T is written in python');
  });

  it('run when they are JavaScript', () => {
    checkRunnable('T', 'javascript');
    expect(() => checkRunnable('T', 'python')).toThrow('T is written in python');
  });
});

it('imports are read from JavaScript and from no other language', () => {
  expect(importsOf('import "alpha";', 'javascript')).toEqual(['alpha']);
  expect(importsOf('import "alpha";', 'python')).toEqual([]);
});
