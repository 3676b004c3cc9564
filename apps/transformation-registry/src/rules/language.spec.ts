import { describe, expect, it } from '@jest/globals';
import { checkLanguage, checkLanguageKept, checkRunnable, extractImports } from './language.js';

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

const imports = (code: string) => extractImports(code, 'javascript');

describe('extractImports', () => {
  it.each([
    ['named', 'import { a } from "alpha";', ['alpha']],
    ['default and namespace', "import d, * as all from 'alpha';", ['alpha']],
    ['for effect', 'import "alpha";', ['alpha']],
    ['re-exports', 'export { a } from "alpha"; export * from "beta";', ['alpha', 'beta']],
    ['escapes', 'import "\\u0061lpha";', ['alpha']],
    ['twice', 'import { b } from "beta"; import { a } from "alpha"; import { c } from "beta";', ['beta', 'alpha']],
  ])('finds %s', (_, code, found) => {
    expect(imports(code)).toEqual(found);
  });

  it.each([
    ['comments', '// import "alpha"\n/* import "beta" */'],
    ['strings', 'const text = \'import "alpha"\'; const other = `import "beta"`;'],
    ['dynamic imports', 'const load = () => import("alpha");'],
    ['import.meta', 'import.meta.url;'],
    ['code that does not parse', 'import { a } from "alpha"; function ('],
  ])('takes nothing from %s', (_, code) => {
    expect(imports(code)).toEqual([]);
  });

  it('does not read other languages', () => {
    expect(extractImports('import "alpha";', 'python')).toEqual([]);
  });
});
