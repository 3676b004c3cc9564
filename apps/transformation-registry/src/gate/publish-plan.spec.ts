import { describe, expect, it } from '@jest/globals';
import { type Candidates, type CodeNode, type LibraryNode, NO_CANDIDATES } from '../revisions/nodes.js';
import { planKey, planPublish } from './publish-plan.js';

const code = (id: string, version: number, imports: string[] = []): CodeNode => ({
  id,
  versionId: `${id}${version}`,
  name: id,
  imports,
});
const library = (id: string, version: number, imports: string[] = []): LibraryNode => ({
  ...code(id, version, imports),
  importName: id,
});
const candidates = (given: Partial<Candidates>): Candidates => ({ ...NO_CANDIDATES, ...given });
const shape = (plan: ReturnType<typeof planPublish>) =>
  [...plan.libraries, ...plan.transformations].map(({ node, libraries, problem }) => [
    node.versionId,
    problem ?? libraries.map(({ versionId }) => versionId),
  ]);

describe('planPublish', () => {
  it('resolves imports to the candidates before what is published', () => {
    const named = candidates({ transformations: [code('t', 2, ['l', 'm'])], libraries: [library('l', 2)] });
    const published = { transformations: [], libraries: [library('l', 1), library('m', 1)] };
    expect(shape(planPublish(named, published))).toEqual([
      ['l2', []],
      ['t2', ['l2', 'm1']],
    ]);
  });

  it('tests again whatever reaches a library that changes, and nothing else', () => {
    const published = {
      transformations: [code('direct', 1, ['l']), code('through', 1, ['m']), code('other', 1, ['n'])],
      libraries: [library('l', 1), library('m', 1, ['l']), library('n', 1)],
    };
    expect(shape(planPublish(candidates({ libraries: [library('l', 2)] }), published))).toEqual([
      ['l2', []],
      ['m1', ['l2']],
      ['direct1', ['l2']],
      ['through1', ['l2', 'm1']],
    ]);
    expect(shape(planPublish(candidates({ transformations: [code('other', 2)] }), published))).toEqual([
      ['other2', []],
    ]);
  });

  it('takes a published transformation that is also a candidate once', () => {
    const published = { transformations: [code('t', 1, ['l'])], libraries: [library('l', 1)] };
    const named = candidates({ transformations: [code('t', 2, ['l'])], libraries: [library('l', 2)] });
    expect(shape(planPublish(named, published)).map(([versionId]) => versionId)).toEqual(['l2', 't2']);
  });

  it('refuses a second library of one import name, published or named', () => {
    const rival = { ...library('x', 1), importName: 'l' };
    const conflict = expect.objectContaining({ code: 'conflict' });
    const plan = (named: LibraryNode[], live: LibraryNode[]) => () =>
      planPublish(candidates({ libraries: named }), { transformations: [], libraries: live });
    expect(plan([rival], [library('l', 1)])).toThrow(conflict);
    expect(plan([rival, library('l', 1)], [])).toThrow(conflict);
    expect(plan([library('l', 2)], [library('l', 1)])).not.toThrow();
  });

  it('refuses two revisions of one', () => {
    const twice = candidates({ transformations: [code('t', 1), code('t', 2)] });
    expect(() => planPublish(twice, { transformations: [], libraries: [] })).toThrow('two revisions of one');
  });
});

describe('planKey', () => {
  const named = candidates({ transformations: [code('t', 2, ['l'])], unsavedCode: new Map([['t2', 'x']]) });
  const keyOf = (libraries: LibraryNode[], who = named) =>
    planKey(planPublish(who, { transformations: [], libraries }), who);

  it('differs when an imported library or the code has changed, and only then', () => {
    const key = keyOf([library('l', 1)]);
    expect(keyOf([library('l', 1), library('unrelated', 1)])).toBe(key);
    expect(keyOf([library('l', 2)])).not.toBe(key);
    expect(keyOf([library('l', 1, ['m']), library('m', 1)])).not.toBe(key);
    expect(keyOf([])).not.toBe(key);
    expect(keyOf([library('l', 1)], { ...named, unsavedCode: new Map([['t2', 'y']]) })).not.toBe(key);
  });
});
