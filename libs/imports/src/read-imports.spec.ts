import { describe, expect, it } from '@jest/globals';
import { readImports } from './read-imports.js';

describe('readImports', () => {
  it.each([
    ['named', 'import { a } from "alpha";', ['alpha']],
    ['default and namespace', "import d, * as all from 'alpha';", ['alpha']],
    ['for effect', 'import "alpha";', ['alpha']],
    ['re-exports', 'export { a } from "alpha"; export * from "beta";', ['alpha', 'beta']],
    ['escapes', 'import "\\u0061lpha";', ['alpha']],
    ['twice', 'import { b } from "beta"; import { a } from "alpha"; import { c } from "beta";', ['beta', 'alpha']],
  ])('finds %s', (_, code, found) => {
    expect(readImports(code)).toEqual(found);
  });

  it.each([
    ['comments', '// import "alpha"\n/* import "beta" */'],
    ['strings', 'const text = \'import "alpha"\'; const other = `import "beta"`;'],
    ['dynamic imports', 'const load = () => import("alpha");'],
    ['import.meta', 'import.meta.url;'],
    ['code that does not parse', 'import { a } from "alpha"; function ('],
  ])('takes nothing from %s', (_, code) => {
    expect(readImports(code)).toEqual([]);
  });
});
