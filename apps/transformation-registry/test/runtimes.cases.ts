import { describe, expect, it } from '@jest/globals';
import {
  CreateLibrary,
  CreateTransformation,
  GetTransformation,
  ListTransformations,
  PublishRelease,
  TestRelease,
  UpdateLibrary,
} from '@weir/contracts';
import { KEEP, newWorkspace, useRegistry } from './registry.js';

const { send } = useRegistry();

const COUNTING = ['const seen = new Set();', 'export const add = (id) => {', '  seen.add(id);', '};'].join('\n');
const IMPORTING = 'import { add } from "ids"; export const transformEvent = (e) => { add(e.messageId); return e; };';
const STATELESS = { runtime: 'warm' };
const OF_LIBRARY = { runtime: 'fresh', runtimeReason: 'keeps state: library ids, line 3, `seen`' };

describe('the runtime of live code', () => {
  it('stands at the transformation, in lists too, and in the evidence of tests', async () => {
    const who = newWorkspace();
    const created = await send(CreateTransformation, { ...who, name: 'keep', code: KEEP, publish: true });
    expect(created).toMatchObject(STATELESS);
    expect(created).not.toHaveProperty('runtimeReason');
    expect(await send(GetTransformation, { ...who, id: created.id })).toEqual(created);
    expect((await send(ListTransformations, who)).transformations).toMatchObject([STATELESS]);
    const items = { transformations: [{ versionId: created.versionId }], libraries: [] };
    const { validationOutput } = await send(TestRelease, { ...who, items });
    expect(validationOutput.transformations).toMatchObject([STATELESS]);
  });

  it('is not told of a draft, because its libraries may still change', async () => {
    const who = newWorkspace();
    const draft = await send(CreateTransformation, { ...who, name: 'keep', code: KEEP, publish: false, events: [{}] });
    expect(draft).not.toHaveProperty('runtime');
  });

  it('follows its libraries, and names the one that keeps state', async () => {
    const who = newWorkspace();
    const stateless = 'export const add = (id) => id;';
    const { id: libraryId } = await send(CreateLibrary, { ...who, name: 'ids', code: stateless, publish: true });
    const created = await send(CreateTransformation, { ...who, name: 'count', code: IMPORTING, publish: true });
    expect(created).toMatchObject(STATELESS);
    await send(UpdateLibrary, { ...who, id: libraryId, code: COUNTING, publish: true });
    const later = await send(GetTransformation, { ...who, id: created.id });
    expect(later).toMatchObject({ versionId: created.versionId, ...OF_LIBRARY });
    expect(later.etag).not.toBe(created.etag);
    await send(UpdateLibrary, { ...who, id: libraryId, code: stateless, publish: true });
    expect(await send(GetTransformation, { ...who, id: created.id })).toEqual(created);
  });

  it('is part of the answer of a publish', async () => {
    const who = newWorkspace();
    const library = await send(CreateLibrary, { ...who, name: 'ids', code: COUNTING, publish: false });
    const { versionId } = await send(CreateTransformation, { ...who, name: 'c', code: IMPORTING, publish: false });
    const items = { transformations: [{ versionId }], libraries: [{ versionId: library.versionId }] };
    const { validationOutput } = await send(PublishRelease, { ...who, items });
    expect(validationOutput.transformations).toMatchObject([{ versionId, pass: true, ...OF_LIBRARY }]);
  });
});
