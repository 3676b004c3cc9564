import { describe, expect, it } from '@jest/globals';
import { checkLanguage, checkLanguageKept, checkRunnable } from './language.js';

describe('languages', () => {
  it('default to JavaScript and are kept as written', () => {
    expect([checkLanguage(), checkLanguage('pythonfaas')]).toEqual(['javascript', 'pythonfaas']);
    expect(() => checkLanguage('cobol')).toThrow('language must be');
  });

  it('never change, and python has two names', () => {
    for (const same of [undefined, 'python', 'pythonfaas']) checkLanguageKept('python', same);
    expect(() => checkLanguageKept('python', 'javascript')).toThrow('language cannot change: it is python');
    expect(() => checkLanguageKept('javascript', 'python')).toThrow('it is javascript');
  });

  it('run when they are JavaScript', () => {
    checkRunnable('T', 'javascript');
    expect(() => checkRunnable('T', 'python')).toThrow('T is written in python');
  });
});
