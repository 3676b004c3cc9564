import { describe, expect, it } from '@jest/globals';
import { usagesOf } from './library.service.js';

const code = (id: string, imports: string[]) => ({ id, versionId: `${id}1`, name: id.toUpperCase(), imports });
const library = (id: string, imports: string[] = []) => ({ ...code(id, imports), importName: id });

describe('usages of a library', () => {
  const tools = library('tools');
  const published = {
    transformations: [code('direct', ['tools']), code('through', ['outer']), code('other', ['lone'])],
    libraries: [library('outer', ['inner']), tools, library('inner', ['tools']), library('lone')],
  };

  it('are what imports it, itself or through other libraries', () => {
    const { usages, total } = usagesOf(tools, published);
    expect(usages.map(({ kind, id, direct }) => [kind, id, direct])).toEqual([
      ['transformation', 'direct', true],
      ['transformation', 'through', false],
      ['library', 'outer', false],
      ['library', 'inner', true],
    ]);
    expect(usages[0]).toMatchObject({ name: 'DIRECT', versionId: 'direct1' });
    expect(total).toBe(4);
  });

  it('are none for a library that nobody imports, and bounded for one that many do', () => {
    expect(usagesOf(library('lone2'), published)).toEqual({ usages: [], total: 0 });
    const many = { ...published, transformations: Array.from({ length: 1_500 }, (_, n) => code(`t${n}`, ['tools'])) };
    const { usages, total } = usagesOf(tools, many);
    expect([usages.length, total]).toEqual([1_000, 1_502]);
  });
});
