import { describe, expect, it } from '@jest/globals';
import { BUNDLE_LIBRARIES_MAX } from '@weir/contracts';
import { importNameOf, readImports, resolveImports } from './resolve-imports.js';

const graph = (edges: Record<string, string[]>) =>
  new Map(Object.entries(edges).map(([importName, imports]) => [importName, { importName, imports }]));

describe('resolveImports', () => {
  it('reaches every library once, in the order of imports', () => {
    const libraries = graph({ z: ['shared'], a: ['shared', 'z'], shared: [], unused: [] });
    const { libraries: found } = resolveImports({ imports: ['z', 'a'] }, libraries);
    expect(found.map(({ importName }) => importName)).toEqual(['z', 'shared', 'a']);
  });

  it('names what is missing, also further in', () => {
    expect(resolveImports({ imports: ['a'] }, graph({ a: ['ghost'] })).problem).toBe(
      'import from ghost failed. Module not found.',
    );
  });

  it('asks whether the import name was meant, where the display name is imported', () => {
    const libraries = graph({ currencyRates: [] });
    for (const name of ['Currency Rates', 'currency-rates']) {
      expect(resolveImports({ imports: [name] }, libraries).problem).toBe(
        `import from ${name} failed. Module not found. Did you mean currencyRates?`,
      );
    }
  });

  it('repeats and reads no more of a name than a library can have', () => {
    const name = `currencyRates ${'x'.repeat(10_000)}`;
    const { problem } = resolveImports({ imports: [name] }, graph({ currencyRates: [] }));
    expect(problem).toBe(`import from ${name.slice(0, 256)} failed. Module not found.`);
  });

  it.each([
    ['itself', { a: ['a'] }, ['a'], 'a -> a'],
    ['each other', { a: ['b'], b: ['c'], c: ['b'] }, ['a'], 'b -> c -> b'],
  ])('refuses libraries that import %s', (_, edges, imports, path) => {
    const { problem, libraries } = resolveImports({ imports }, graph(edges as unknown as Record<string, string[]>));
    expect(problem).toContain(path);
    expect(libraries).toEqual([]);
  });

  it('refuses a library that leads back to its own name', () => {
    const back = { importName: 'me', imports: ['a'] };
    expect(resolveImports(back, graph({ a: ['me'], me: ['a'] })).problem).toContain('me -> a -> me');
  });

  it('takes a diamond for no circle', () => {
    const diamond = graph({ left: ['base'], right: ['base'], base: [] });
    expect(resolveImports({ imports: ['left', 'right'] }, diamond).libraries).toHaveLength(3);
  });

  it('bounds the number of libraries', () => {
    const names = Array.from({ length: BUNDLE_LIBRARIES_MAX + 1 }, (_, n) => `l${n}`);
    const flat = graph(Object.fromEntries(names.map((name) => [name, []])));
    expect(resolveImports({ imports: names }, flat).problem).toContain('more than 50 libraries');
    expect(resolveImports({ imports: names.slice(1) }, flat).libraries).toHaveLength(BUNDLE_LIBRARIES_MAX);
  });
});

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
])('%s is imported as %s', (name, importName) => {
  expect(importNameOf(name)).toBe(importName);
});
