import { describe, expect, it } from '@jest/globals';
import { reachable } from './import-order.js';

/** Libraries by name, each with its imports. */
const order = async (imports: Record<string, string[]>, ofCode: string[]) => {
  const libraries = Object.keys(imports).map((importName) => ({ importName, code: importName }));
  const compiled: string[] = [];
  const sources = await reachable({ key: 'code', fileName: 'my code', code: 'code' }, libraries, async ({ code }) => {
    compiled.push(code);
    return code === 'code' ? ofCode : (imports[code] ?? []);
  });
  return { compiled, keys: sources.map(({ key }) => key) };
};

describe('what code reaches', () => {
  it('is compiled once, and what nobody imports is not', async () => {
    const imports = { a: ['base'], b: ['base'], base: [], unused: ['nowhere'] };
    expect(await order(imports, ['a', 'b', 'a'])).toEqual({
      compiled: ['code', 'a', 'base', 'b'],
      keys: ['library base', 'library a', 'library b', 'code'],
    });
  });

  it.each([
    [{ a: ['b'], b: ['c'], c: ['a'] }, ['a'], 'a -> b -> c -> a'],
    [{ a: ['a'] }, ['a'], 'a -> a'],
    [{ top: ['a'], a: ['b'], b: ['a'] }, ['top'], 'a -> b -> a'],
  ])('may not lead in a circle: %j', async (imports, ofCode, circle) => {
    await expect(order(imports as unknown as Record<string, string[]>, ofCode)).rejects.toThrow(
      `libraries import each other in a circle: ${circle}. Remove one of these imports.`,
    );
  });

  it('has to be there', async () => {
    await expect(order({ a: ['ghost'] }, ['a'])).rejects.toThrow('import from ghost failed. Module not found.');
  });
});
