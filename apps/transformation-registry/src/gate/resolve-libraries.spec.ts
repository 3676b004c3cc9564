import { expect, it } from '@jest/globals';
import { resolveLibraries } from './resolve-libraries.js';

const node = (importName: string, versionId: string) => ({ id: importName, versionId, name: importName, importName });

it('names libraries in one order, whatever the order of the imports', () => {
  const libraries = [
    { ...node('masks', 'v2'), imports: [] },
    { ...node('rates', 'v1'), imports: ['masks'] },
  ];
  const importable = new Map(libraries.map((one) => [one.importName, one]));
  for (const imports of [
    ['masks', 'rates'],
    ['rates', 'masks'],
  ]) {
    const { libraries: found } = resolveLibraries({ imports }, importable);
    expect(found.map(({ versionId }) => versionId)).toEqual(['v1', 'v2']);
  }
});
