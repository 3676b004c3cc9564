import { describe, expect, it } from '@jest/globals';
import {
  CreateLibrary,
  CreateTransformation,
  DeleteLibrary,
  DeleteTransformation,
  GetLibrary,
  GetTransformation,
  GetTransformationVersion,
  ListLibraries,
  ListLibraryVersions,
  ListTransformations,
  ListTransformationVersions,
  PublishRelease,
  UpdateLibrary,
  UpdateTransformation,
} from '@weir/contracts';
import { KEEP, newWorkspace, refusal, THROW, useRegistry } from './registry.js';

const { send } = useRegistry();
const UNFINISHED = 'export function transformEvent(event) { const 1a = 3; }';

describe('a draft of a transformation', () => {
  it('is listed and read by its status, with its latest revision', async () => {
    const who = newWorkspace();
    const first = await send(CreateTransformation, { ...who, name: 'Live', code: KEEP, publish: true });
    const { id } = await send(CreateTransformation, { ...who, name: 'Draft', code: KEEP, publish: false });
    const at = { workspaceId: who.workspaceId, id };
    const draft = await send(UpdateTransformation, { ...at, ...who, code: THROW, publish: false });
    const { basedOn: _, ...shown } = draft;
    // A revision of published code is not a draft of its own.
    const { etag } = await send(UpdateTransformation, { ...who, id: first.id, description: 'newer', publish: false });
    const live = { ...first, etag };

    const listed = async (status?: 'published' | 'draft' | 'all') =>
      (await send(ListTransformations, { ...who, status })).transformations;
    expect(await listed()).toEqual([live]);
    expect(await listed('published')).toEqual([live]);
    expect(await listed('draft')).toEqual([shown]);
    expect((await listed('all')).map(({ name, isPublished }) => [name, isPublished])).toEqual([
      ['Live', true],
      ['Draft', false],
    ]);
    expect(await send(GetTransformation, { ...at, status: 'draft' })).toEqual(shown);
    expect(await send(GetTransformation, { ...at, status: 'all' })).toEqual(shown);
  });

  it('says how to reach it where only published ones are meant', async () => {
    const who = newWorkspace();
    const { id } = await send(CreateTransformation, { ...who, name: 'Draft', code: KEEP, publish: false });
    const at = { workspaceId: who.workspaceId, id };
    const hint = { code: 'not_found', message: 'transformation not found: it is a draft, so add status=draft' };
    expect(await refusal(send(GetTransformation, at))).toMatchObject(hint);
    expect(await refusal(send(DeleteTransformation, at))).toMatchObject(hint);
    const foreign = { ...newWorkspace(), id };
    expect(await refusal(send(GetTransformation, foreign))).toMatchObject({ message: 'transformation not found' });
  });

  it('is deleted, and comes back when one of its revisions is published', async () => {
    const who = newWorkspace();
    const { id, versionId } = await send(CreateTransformation, { ...who, name: 'D', code: KEEP, publish: false });
    const at = { workspaceId: who.workspaceId, id };
    await send(DeleteTransformation, { ...at, status: 'draft' });
    expect(await send(ListTransformations, { ...who, status: 'all' })).toEqual({ transformations: [] });
    expect((await refusal(send(GetTransformation, { ...at, status: 'all' }))).message).toBe('transformation not found');
    expect((await refusal(send(UpdateTransformation, { ...at, ...who, publish: true }))).code).toBe('not_found');
    expect(await send(GetTransformationVersion, { ...at, versionId })).toMatchObject({ code: KEEP });

    await send(PublishRelease, { ...who, items: { transformations: [{ versionId }], libraries: [] } });
    expect(await send(GetTransformation, at)).toMatchObject({ versionId, isPublished: true });
    expect((await refusal(send(DeleteTransformation, { ...at, status: 'draft' }))).message).toContain(
      'it is published',
    );
  });

  it('keeps imports that do not exist yet, and no language that does not run', async () => {
    const who = newWorkspace();
    const create = { ...who, name: 'Draft', publish: false };
    const python = { ...create, code: 'def transformEvent(event): return event', language: 'python' };
    expect(await refusal(send(CreateTransformation, python))).toMatchObject({
      code: 'invalid',
      details: { language: expect.stringContaining('must be javascript') },
    });
    expect(await send(ListTransformations, { ...who, status: 'all' })).toEqual({ transformations: [] });
    const ghost = await send(CreateTransformation, { ...create, code: `import 'ghost'; ${KEEP}` });
    expect(ghost.imports).toEqual(['ghost']);
  });
});

describe.each([
  {
    kind: 'transformation',
    create: CreateTransformation,
    update: UpdateTransformation,
    versions: ListTransformationVersions,
    live: async (workspaceId: string) => (await send(ListTransformations, { workspaceId })).transformations,
  },
  {
    kind: 'library',
    create: CreateLibrary,
    update: UpdateLibrary,
    versions: ListLibraryVersions,
    live: async (workspaceId: string) => (await send(ListLibraries, { workspaceId })).libraries,
  },
])('unfinished code of a $kind', ({ kind, create, update, versions, live }) => {
  it('is kept as a draft, and does not go live', async () => {
    const who = newWorkspace();
    const made = await send(create, { ...who, name: 'Draft', code: UNFINISHED, publish: false });
    expect(made).toMatchObject({ code: UNFINISHED, isPublished: false });
    const emptied = await send(update, { ...who, id: made.id, code: '', publish: false });
    const { versions: kept } = await send(versions, { ...who, id: made.id, count: 5, orderBy: 'ASC' });
    expect(kept.map(({ code }) => code)).toEqual([UNFINISHED, '']);

    for (const [versionId, message] of [
      [made.versionId, /SyntaxError/],
      [emptied.versionId, kind === 'library' ? /It has no code/ : /Found none/],
    ] as const) {
      const named = { [kind === 'library' ? 'libraries' : 'transformations']: [{ versionId }] };
      const items = { transformations: [], libraries: [], ...named };
      const refused = await refusal(send(PublishRelease, { ...who, items }));
      expect(refused).toMatchObject({ code: 'tests_failed', details: { published: false } });
      expect(refused.message).toMatch(message);
    }
    const again = { ...who, id: made.id, description: 'still empty', publish: true };
    expect((await refusal(send(update, again))).code).toBe('tests_failed');
    expect(await live(who.workspaceId)).toEqual([]);
  });

  it('is refused blank at creation', async () => {
    const blank = { ...newWorkspace(), name: 'Draft', code: ' \n', publish: false };
    expect(await refusal(send(create, blank))).toMatchObject({
      code: 'invalid',
      message: 'code must not be empty',
    });
  });
});

describe('a draft of a library', () => {
  it('is listed, read and deleted by its status', async () => {
    const who = newWorkspace();
    const code = 'export const f = () => 1;';
    const live = await send(CreateLibrary, { ...who, name: 'Live', code, publish: true });
    const draft = await send(CreateLibrary, { ...who, name: 'Draft', code, publish: false });
    const at = { workspaceId: who.workspaceId, id: draft.id, status: 'draft' as const };
    expect(await send(ListLibraries, who)).toEqual({ libraries: [live] });
    expect(await send(ListLibraries, { ...who, status: 'draft' })).toEqual({ libraries: [draft] });
    expect(await send(GetLibrary, at)).toEqual(draft);
    await send(DeleteLibrary, at);
    expect(await send(ListLibraries, { ...who, status: 'all' })).toEqual({ libraries: [live] });
  });
});
