import { describe, expect, it } from '@jest/globals';
import type { CodeFile } from '../code/folder.js';
import { bundleOf } from './bundles.js';

const file = (kind: CodeFile['kind'], name: string, code: string): CodeFile => ({
  ...{ kind, name, code, description: '', path: `${name}.js` },
});
const importing = (...names: string[]): CodeFile =>
  file('transformations', 'mask', names.map((name, at) => `import * as x${at} from '${name}';`).join('\n'));

describe('a bundle', () => {
  it('has the libraries that the code reaches, by their import names, and no others', () => {
    const files = [
      file('libraries', 'My masks', `export { one } from 'numbers';`),
      file('libraries', 'numbers', 'export const one = 1;'),
      file('libraries', 'unused', 'export const two = 2;'),
    ];
    const { bundle } = bundleOf(importing('myMasks'), files);
    expect(bundle?.name).toBe('mask');
    expect(bundle?.libraries.map(({ importName }) => importName)).toEqual(['myMasks', 'numbers']);
  });

  it.each([
    ['My masks', 'import from My masks failed. Module not found. Did you mean myMasks?'],
    ['nothing', 'import from nothing failed. Module not found.'],
    ['a', 'libraries import each other in a circle: a -> b -> a. Remove one of these imports.'],
  ])('is refused in the words of a server: %s', (name, problem) => {
    const files = [
      file('libraries', 'My masks', ''),
      file('libraries', 'a', `import 'b';`),
      file('libraries', 'b', `export * from 'a';`),
    ];
    expect(bundleOf(importing(name), files)).toEqual({ problem });
  });

  it('reaches as many libraries as on a server, and no more', () => {
    const names = Array.from({ length: 51 }, (_, at) => `l${at}`);
    const files = names.map((name) => file('libraries', name, ''));
    expect(bundleOf(importing(...names.slice(1)), files).bundle?.libraries).toHaveLength(50);
    expect(bundleOf(importing(...names), files).problem).toBe('more than 50 libraries are imported. Merge some.');
  });

  it('may be as large as on a server, and no larger', () => {
    const long = '"'.repeat(150_000); // twice as many bytes as JSON
    const part = (name: string) => file('libraries', name, 'c'.repeat(200_000));
    expect(bundleOf(file('transformations', 'mask', long), []).problem).toContain('shorten it to 262144');
    expect(bundleOf(importing('a'), [part('a'), part('b')]).problem).toBeUndefined();
    expect(bundleOf(importing('a', 'b'), [part('a'), part('b')]).problem).toContain(
      'mask with the libraries that it reaches takes',
    );
  });

  it('of code that does not parse has no libraries: its run tells why', () => {
    expect(bundleOf(file('transformations', 'broken', `import 'a'; (`), []).bundle?.libraries).toEqual([]);
  });
});
