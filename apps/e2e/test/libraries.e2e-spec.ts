import { beforeAll, describe, expect, it } from '@jest/globals';
import { uniqueName } from '@weir/testing';
import { newLibrary, newTransformation } from './support/code.js';
import { expectRefusal, KSUID, TIME } from './support/matchers.js';
import { made, newWorkspace, UNKNOWN_ID, type Workspace } from './support/workspace.js';

const CODE = 'export function twice(n) { return n * 2; }';
const DRAFT = { publish: false };

let own: Workspace;
beforeAll(async () => {
  own = await newWorkspace();
});

const get = (id: string) => own.reader.get(`/libraries/${id}`);
const versionsOf = async (id: string, query: Record<string, string | number> = {}) =>
  made(await own.reader.get(`/libraries/${id}/versions`, { query })).libraryVersions;
/** A library name with a readable import name. */
const newName = (prefix: string) =>
  `${prefix} ${Math.random()
    .toString(36)
    .replace(/[^a-z]/g, '')}`;

describe('creating a library', () => {
  it('with publish=true answers it with every field, live and listed, beside one revision', async () => {
    const { name } = made(await own.reader.get('/v2/workspace')).workspace;
    const body = { name: 'Number Helpers JS 2', code: CODE, description: 'Doubles' };
    const library = made(await own.writer.post('/libraries', body, { query: { publish: true } }));
    expect(library).toMatchObject({
      ...body,
      ...{ id: KSUID, versionId: KSUID, importName: 'numberHelpersJs2', language: 'javascript' },
      ...{ workspaceId: own.id, workspace: { id: own.id, name }, createdAt: TIME, updatedAt: TIME },
    });
    expect(made(await get(library.id))).toEqual(library);
    const { libraries } = made(await own.reader.get('/libraries'));
    expect(libraries).toContainEqual(library);
    expect(await versionsOf(library.id)).toMatchObject([{ versionId: library.versionId, isPublished: true }]);
  });

  it('makes only a revision by default', async () => {
    const draft = made(await own.writer.post('/libraries', { name: newName('draft'), code: CODE }));
    expect(draft.description).toBe('');
    expectRefusal(await get(draft.id), 404, /library not found/);
    expect(await versionsOf(draft.id)).toMatchObject([{ versionId: draft.versionId, isPublished: false }]);
  });

  const bad: [string, object][] = [
    ['name', { name: undefined }],
    ['name', { name: ' ' }],
    ['code', { code: undefined }],
    ['code', { code: 3 }],
    ['description', { description: [] }],
  ];
  it.each(bad)('with a bad %s is refused with 400: %j', async (field, fields) => {
    expectRefusal(await own.writer.post('/libraries', { name: 'l', code: CODE, ...fields }), 400, new RegExp(field));
  });

  it('does not publish code that does not compile', async () => {
    const body = { name: newName('broken'), code: 'export function (' };
    made(await own.writer.post('/libraries', body));
    expectRefusal(await own.writer.post('/libraries', body, { query: { publish: true } }), 400, /./, 'TESTS_FAILED');
  });

  it('does not publish a second one with the same import name', async () => {
    const name = newName('only');
    await newLibrary(own.writer, CODE, { name });
    const answer = await own.writer.post('/libraries', { name, code: CODE }, { query: { publish: true } });
    expectRefusal(answer, 409, /same import name/);
  });
});

describe('updating a library', () => {
  it('makes a new revision, live with publish=true only; the old one stays', async () => {
    const library = await newLibrary(own.writer, CODE, { name: newName('growing') });
    const draft = made(await own.writer.post(`/libraries/${library.id}`, { description: 'more' }));
    expect(draft.versionId).not.toBe(library.versionId);
    expect(made(await get(library.id))).toEqual(library);
    const body = { code: `${CODE} export const ten = 10;` };
    const live = made(await own.writer.post(`/libraries/${library.id}`, body, { query: { publish: true } }));
    expect(made(await get(library.id))).toMatchObject({ ...body, versionId: live.versionId, description: 'more' });
    const flags = (await versionsOf(library.id)).map((one: { isPublished: boolean }) => one.isPublished);
    expect(flags).toEqual([false, false, true]);
  });

  it('never changes its name, import name or language', async () => {
    const library = await newLibrary(own.writer, CODE, { name: newName('named') });
    const { name, importName } = library;
    const changed = made(await own.writer.post(`/libraries/${library.id}`, { name: 'Other', description: 'd' }));
    expect(changed).toMatchObject({ name, importName, description: 'd' });
    expectRefusal(await own.writer.post(`/libraries/${library.id}`, { language: 'pythonfaas' }), 400, /language/);
  });

  it('of an unknown one is 404', async () => {
    expectRefusal(await own.writer.post(`/libraries/${UNKNOWN_ID}`, {}), 404, /library not found/);
  });
});

describe('the versions of a library', () => {
  it('are the first five by default, else as count and orderBy say, and are read one by one', async () => {
    const library = await newLibrary(own.writer, CODE, { name: newName('versions') });
    const all = [library.versionId];
    for (let n = 0; n < 6; n++) all.push(made(await own.writer.post(`/libraries/${library.id}`, {})).versionId);
    const ids = async (query: Record<string, string | number>) =>
      (await versionsOf(library.id, query)).map(({ versionId }: { versionId: string }) => versionId);
    expect(await ids({})).toEqual(all.slice(0, 5));
    expect(await ids({ count: 2, orderBy: 'DESC' })).toEqual(all.toReversed().slice(0, 2));
    const one = made(await own.reader.get(`/libraries/${library.id}/versions/${all[0]}`));
    expect(one).toMatchObject({ id: library.id, versionId: all[0], code: CODE, importName: library.importName });
    const path = `/libraries/${library.id}/versions`;
    expectRefusal(await own.reader.get(path, { query: { count: 0 } }), 400, /count/);
    expectRefusal(await own.reader.get(path, { query: { orderBy: 'x' } }), 400, /orderBy/);
    expectRefusal(await own.reader.get(`${path}/${UNKNOWN_ID}`), 404, /version not found/);
    expectRefusal(await own.reader.get(`/libraries/${UNKNOWN_ID}/versions`), 404);
  });
});

describe('a transformation that imports a library', () => {
  const importing = (importName: string) =>
    `import { twice } from '${importName}'; export function transformEvent(event) { event.n = twice(2); return event; }`;

  it('names it among its imports, and the library cannot be deleted meanwhile with 409', async () => {
    const library = await newLibrary(own.writer, CODE, { name: newName('imported') });
    const transformation = await newTransformation(own.writer, importing(library.importName));
    expect(transformation.imports).toEqual([library.importName]);
    expectRefusal(await own.writer.delete(`/libraries/${library.id}`), 409, new RegExp(transformation.name));
    made(await own.writer.delete(`/transformations/${transformation.id}`));
    expect(made(await own.writer.delete(`/libraries/${library.id}`))).toEqual({ success: true });
    expectRefusal(await get(library.id), 404);
    expect(await versionsOf(library.id)).toHaveLength(1);
    expectRefusal(await own.writer.delete(`/libraries/${library.id}`), 404);
  });

  it('is not published while the library is a draft', async () => {
    const library = await newLibrary(own.writer, CODE, { name: newName('unready') }, DRAFT);
    const body = { name: uniqueName('t'), code: importing(library.importName) };
    expectRefusal(
      await own.writer.post('/transformations', body, { query: { publish: true } }),
      400,
      /./,
      'TESTS_FAILED',
    );
  });

  it('keeps a library from being published with code that would break it', async () => {
    const library = await newLibrary(own.writer, CODE, { name: newName('needed') });
    await newTransformation(own.writer, importing(library.importName));
    const body = { code: 'export function thrice(n) { return n * 3; }' };
    const answer = await own.writer.post(`/libraries/${library.id}`, body, { query: { publish: true } });
    expectRefusal(answer, 400, /./, 'TESTS_FAILED');
    expect(made(await get(library.id)).versionId).toBe(library.versionId);
  });
});

describe('an external id', () => {
  it('is set and shown', async () => {
    const library = await newLibrary(own.writer, CODE, { name: newName('outside') });
    const externalId = uniqueName('external');
    expect(made(await own.writer.put(`/libraries/${library.id}/external-id`, { externalId }))).toEqual({});
    expect(made(await get(library.id)).externalId).toBe(externalId);
  });
});
