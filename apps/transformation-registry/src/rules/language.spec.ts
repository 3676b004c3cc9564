import { describe, expect, it } from '@jest/globals';
import { checkLanguage, checkLanguageKept, checkRunnable, importsOf } from './language.js';

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
