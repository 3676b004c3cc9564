import { describe, expect, it } from '@jest/globals';
import {
  CODE_BYTES_MAX,
  CreateLibrary,
  CreateTransformation,
  DeleteLibrary,
  DeleteTransformation,
  GetLibrary,
  GetLibraryVersion,
  GetTransformation,
  ListLibraries,
  ListLibraryVersions,
  PublishRelease,
  SetExternalId,
  TestRelease,
  UpdateLibrary,
} from '@weir/contracts';
import { newWorkspace, refusal, useRegistry } from './registry.js';

const { send } = useRegistry();

const PRICE = 'export const price = (event) => event.properties.revenue;';
const importing = (name: string, member = 'price') =>
  `import { ${member} } from "${name}"; export function transformEvent(event) { ${member}({ properties: {} }); return event; }`;

describe('a library', () => {
  it('follows the flow of transformations', async () => {
    const who = newWorkspace();
    const created = await send(CreateLibrary, { ...who, name: 'Price Tools 2', code: PRICE, publish: true });
    const at = { workspaceId: who.workspaceId, id: created.id };
    expect(created).toMatchObject({ importName: 'priceTools2', name: 'Price Tools 2', language: 'javascript' });
    expect(await send(ListLibraries, who)).toEqual({ libraries: [created] });
    const draft = await send(UpdateLibrary, { ...at, ...who, description: 'prices', publish: false });
    expect(await send(GetLibrary, at)).toMatchObject({ ...created, etag: expect.any(String) });
    const { versions } = await send(ListLibraryVersions, { ...at, count: 5, orderBy: 'DESC' });
    expect(versions).toMatchObject([
      { versionId: draft.versionId, description: 'prices', isPublished: false },
      { versionId: created.versionId, description: '', isPublished: true },
    ]);
    expect(await send(GetLibraryVersion, { ...at, versionId: draft.versionId })).toMatchObject(versions[0] ?? {});
  });

  it('keeps its name without a word and refuses another language', async () => {
    const who = newWorkspace();
    const lib = await send(CreateLibrary, { ...who, name: 'Lib', code: PRICE, publish: false });
    const update = { workspaceId: who.workspaceId, id: lib.id, createdBy: who.createdBy, publish: false };
    const renamed = await send(UpdateLibrary, { ...update, name: 'Other', language: 'javascript' });
    expect(renamed).toMatchObject({ name: 'Lib', importName: 'lib', language: 'javascript' });
    expect(await refusal(send(UpdateLibrary, { ...update, language: 'python' }))).toMatchObject({
      code: 'invalid',
      details: { language: expect.stringContaining('it is javascript') },
    });
  });

  it('has an import name of its own among published ones', async () => {
    const who = newWorkspace();
    await send(CreateLibrary, { ...who, name: 'my lib', code: PRICE, publish: true });
    const second = await send(CreateLibrary, { ...who, name: 'My-Lib', code: PRICE, publish: false });
    const items = { transformations: [], libraries: [{ versionId: second.versionId }] };
    const error = await refusal(send(PublishRelease, { ...who, items }));
    expect(error).toMatchObject({ code: 'conflict', message: expect.stringContaining('myLib') });
  });

  it('that does not compile is not published', async () => {
    const who = newWorkspace();
    const error = await refusal(
      send(CreateLibrary, { ...who, name: 'Broken', code: 'export const a = ;', publish: true }),
    );
    expect(error).toMatchObject({
      code: 'tests_failed',
      message: expect.stringContaining('library Broken: SyntaxError'),
    });
    expect(await send(ListLibraries, who)).toEqual({ libraries: [] });
  });

  it('is refused when its code is too large, by its size as JSON', async () => {
    const code = `"${'\\n'.repeat(CODE_BYTES_MAX / 3)}"`;
    const error = await refusal(send(CreateLibrary, { ...newWorkspace(), name: 'Large', code, publish: false }));
    expect(error.code).toBe('too_large');
  });
});

describe('imports', () => {
  it('resolve to the revisions of the same request first', async () => {
    const who = newWorkspace();
    await send(CreateLibrary, { ...who, name: 'tools', code: PRICE, publish: true });
    const { id } = (await send(ListLibraries, who)).libraries[0] ?? { id: '' };
    const draft = await send(UpdateLibrary, {
      ...who,
      id,
      code: `${PRICE} export const two = () => 2;`,
      publish: false,
    });
    const user = await send(CreateTransformation, {
      ...who,
      name: 'U',
      code: importing('tools', 'two'),
      publish: false,
    });
    expect(user.imports).toEqual(['tools']);

    const transformations = [{ versionId: user.versionId }];
    const alone = await send(TestRelease, { ...who, items: { transformations, libraries: [] } });
    expect(alone).toMatchObject({ pass: false, message: expect.stringContaining('two') });
    const items = { transformations, libraries: [{ versionId: draft.versionId }] };
    const { validationOutput } = await send(PublishRelease, { ...who, items });
    expect(validationOutput.libraries).toMatchObject([{ handleName: 'tools', pass: true }]);
    expect(await send(GetTransformation, { ...who, id: user.id })).toMatchObject({ imports: ['tools'] });
  });

  it('of a library that is not there fail the test by name', async () => {
    const who = newWorkspace();
    const error = await refusal(
      send(CreateTransformation, { ...who, name: 'U', code: importing('ghost'), publish: true }),
    );
    expect(error.message).toContain('import from ghost failed. Module not found.');
  });

  it('reach through libraries that import libraries, but never in a circle', async () => {
    const who = newWorkspace();
    const outerCode = 'import { price } from "inner"; export const outer = (event) => price(event);';
    const inner = await send(CreateLibrary, { ...who, name: 'inner', code: PRICE, publish: true });
    await send(CreateLibrary, { ...who, name: 'outer', code: outerCode, publish: true });
    const user = { ...who, name: 'U', code: importing('outer', 'outer'), publish: true };
    expect(await send(CreateTransformation, user)).toMatchObject({ imports: ['outer'] });

    const circle = { ...who, id: inner.id, code: `import { outer } from "outer"; ${PRICE}`, publish: true };
    const error = await refusal(send(UpdateLibrary, circle));
    expect(error).toMatchObject({ code: 'tests_failed', message: expect.stringContaining('inner -> outer -> inner') });
  });
});

describe('publishing a library', () => {
  it('is refused when a published transformation that imports it would break, and changes nothing', async () => {
    const who = newWorkspace();
    const lib = await send(CreateLibrary, { ...who, name: 'tools', code: PRICE, publish: true });
    const user = await send(CreateTransformation, { ...who, name: 'User', code: importing('tools'), publish: true });
    const broken = {
      ...who,
      id: lib.id,
      code: 'export const price = () => { throw new Error("sold out"); };',
      publish: true,
    };
    const error = await refusal(send(UpdateLibrary, broken));
    expect(error).toMatchObject({ code: 'tests_failed', message: expect.stringContaining('User: Error: sold out') });
    expect(error.details).toMatchObject({
      validationOutput: { libraries: [{ pass: true }], transformations: [{ id: user.id, pass: false }] },
    });
    expect(await send(GetLibrary, { ...who, id: lib.id })).toEqual(lib);
  });

  it('is possible together with the transformation that has to change', async () => {
    const who = newWorkspace();
    const lib = await send(CreateLibrary, { ...who, name: 'tools', code: PRICE, publish: true });
    await send(CreateTransformation, { ...who, name: 'User', code: importing('tools'), publish: true });
    const gone = await send(UpdateLibrary, { ...who, id: lib.id, code: 'export const sum = () => 0;', publish: false });
    const libraries = [{ versionId: gone.versionId }];
    const alone = await refusal(send(PublishRelease, { ...who, items: { transformations: [], libraries } }));
    expect(alone.code).toBe('tests_failed');
  });
});

describe('deleting a library', () => {
  it('is refused while it is imported, and possible afterwards, once', async () => {
    const who = newWorkspace();
    const lib = await send(CreateLibrary, { ...who, name: 'tools', code: PRICE, publish: true });
    const user = await send(CreateTransformation, { ...who, name: 'Shop', code: importing('tools'), publish: true });
    const at = { workspaceId: who.workspaceId, id: lib.id };
    const error = await refusal(send(DeleteLibrary, at));
    expect(error).toMatchObject({ code: 'conflict', message: expect.stringContaining('transformation Shop') });
    await send(DeleteTransformation, { ...who, id: user.id });
    await send(DeleteLibrary, at);
    expect((await refusal(send(DeleteLibrary, at))).code).toBe('not_found');
    expect((await send(ListLibraryVersions, { ...at, count: 5, orderBy: 'ASC' })).versions).toHaveLength(1);
  });
});

describe('an external id', () => {
  it('is set, shown and removed', async () => {
    const who = newWorkspace();
    const lib = await send(CreateLibrary, { ...who, name: 'l', code: PRICE, externalId: '', publish: true });
    expect(lib).not.toHaveProperty('externalId');
    const set = { workspaceId: who.workspaceId, kind: 'library' as const, id: lib.id };
    await send(SetExternalId, { ...set, externalId: 'mine' });
    expect(await send(GetLibrary, { ...who, id: lib.id })).toEqual({
      ...lib,
      etag: expect.any(String),
      externalId: 'mine',
    });
    await send(SetExternalId, { ...set, externalId: '' });
    expect(await send(GetLibrary, { ...who, id: lib.id })).toEqual(lib);
    expect((await refusal(send(SetExternalId, { ...set, kind: 'transformation', externalId: 'x' }))).code).toBe(
      'not_found',
    );
  });
});
