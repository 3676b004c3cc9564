import { describe, expect, it } from '@jest/globals';
import {
  type AppError,
  CreateTransformation,
  DeleteTransformation,
  GetTransformation,
  GetTransformationVersion,
  ListTransformations,
  ListTransformationVersions,
  PublishRelease,
  UpdateTransformation,
} from '@weir/contracts';
import { newKsuid } from '@weir/service-kit';
import { KEEP, newWorkspace, refusal, THROW, useRegistry } from './registry.js';

const { database, send } = useRegistry();
const every = { count: 100, orderBy: 'ASC' as const };

describe('a transformation', () => {
  it('that is published has a live copy and a revision with one version id', async () => {
    const who = newWorkspace();
    const created = await send(CreateTransformation, { ...who, name: 'Keep', code: KEEP, publish: true });
    const at = { workspaceId: who.workspaceId, id: created.id };

    expect(created).toMatchObject({
      codeVersion: '1',
      language: 'javascript',
      description: '',
      imports: [],
      destinations: [],
    });
    expect(await send(GetTransformation, at)).toEqual(created);
    expect(await send(ListTransformations, who)).toEqual({ transformations: [created] });
    const { versions } = await send(ListTransformationVersions, { ...at, ...every });
    expect(versions).toMatchObject([{ id: created.id, versionId: created.versionId, isPublished: true }]);
    expect(await send(GetTransformationVersion, { ...at, versionId: created.versionId })).toMatchObject(
      versions[0] ?? {},
    );
  });

  it('that is a draft is a revision only, whatever its code does', async () => {
    const who = newWorkspace();
    const { id, workspaceId } = await send(CreateTransformation, {
      ...who,
      name: 'Draft',
      code: THROW,
      publish: false,
    });
    expect(await send(ListTransformations, who)).toEqual({ transformations: [] });
    expect((await refusal(send(GetTransformation, { workspaceId, id }))).code).toBe('not_found');
    const { versions } = await send(ListTransformationVersions, { workspaceId, id, ...every });
    expect(versions.map(({ isPublished }) => isPublished)).toEqual([false]);
  });

  it('stays live while a draft is added, and moves when the draft is published', async () => {
    const who = newWorkspace();
    const first = await send(CreateTransformation, {
      ...who,
      name: 'A',
      code: KEEP,
      description: 'one',
      publish: true,
    });
    const at = { workspaceId: who.workspaceId, id: first.id };
    const draft = await send(UpdateTransformation, { ...at, ...who, name: 'B', publish: false });

    expect(draft).toMatchObject({
      id: first.id,
      name: 'B',
      description: 'one',
      code: KEEP,
      createdAt: first.createdAt,
    });
    expect(draft.versionId).not.toBe(first.versionId);
    expect(await send(GetTransformation, at)).toMatchObject({ ...first, etag: expect.any(String) });

    const items = { transformations: [{ versionId: draft.versionId }], libraries: [] };
    const { published, validationOutput } = await send(PublishRelease, { ...who, items });
    expect(published).toBe(true);
    expect(validationOutput.transformations).toMatchObject([{ id: first.id, versionId: draft.versionId, pass: true }]);
    const live = await send(GetTransformation, at);
    expect(live).toMatchObject({ name: 'B', versionId: draft.versionId, createdAt: first.createdAt });
    expect(live.updatedAt > first.updatedAt).toBe(true);
    const { versions } = await send(ListTransformationVersions, { ...at, ...every });
    expect(versions.map(({ versionId, isPublished }) => [versionId, isPublished])).toEqual([
      [first.versionId, false],
      [draft.versionId, true],
    ]);
  });

  it('is deleted with its revisions still readable, and comes back when one of them is published', async () => {
    const who = newWorkspace();
    const created = await send(CreateTransformation, { ...who, name: 'Gone', code: KEEP, publish: true });
    const at = { workspaceId: who.workspaceId, id: created.id };
    await send(DeleteTransformation, at);

    expect((await refusal(send(GetTransformation, at))).code).toBe('not_found');
    expect((await refusal(send(DeleteTransformation, at))).code).toBe('not_found');
    expect((await refusal(send(UpdateTransformation, { ...at, ...who, publish: false }))).code).toBe('not_found');
    const { versions } = await send(ListTransformationVersions, { ...at, ...every });
    expect(versions).toMatchObject([{ versionId: created.versionId, isPublished: false, code: KEEP }]);

    const items = { transformations: [{ versionId: created.versionId }], libraries: [] };
    await send(PublishRelease, { ...who, items });
    expect(await send(GetTransformation, at)).toMatchObject({
      versionId: created.versionId,
      createdAt: created.createdAt,
    });
  });
});

describe('a refused create', () => {
  const TABLES = [
    ...['transformations', 'transformation_revisions', 'published_transformations', 'publications'],
    ...['destination_links', 'destination_releases', 'version_trials'],
  ];
  const links = { destinationIds: [newKsuid()] };

  it.each([
    ['with destinations and without publish', { code: KEEP, publish: false, ...links }],
    ['of a draft that fails its events', { code: THROW, publish: false, events: [{ type: 'track' }] }],
    ['that throws', { code: THROW, publish: true, ...links }],
    ['of code that does not compile', { code: 'export function transformEvent(', publish: true }],
    ['of an import that is none', { code: `import { a } from 'none'; ${KEEP}`, publish: true }],
    ['without a name', { name: ' ', code: KEEP, publish: true }],
  ])('%s leaves no row of any table', async (_, body) => {
    const who = newWorkspace();
    await refusal(send(CreateTransformation, { ...who, name: 'T', ...body }));
    const rows = TABLES.map(async (table) => {
      const sql = `SELECT count(*)::int AS count FROM ${table} WHERE workspace_id = $1`;
      const [row] = await database.dataSource.query<[{ count: number }]>(sql, [who.workspaceId]);
      return [table, row.count];
    });
    expect(await Promise.all(rows)).toEqual(TABLES.map((table) => [table, 0]));
  });
});

describe('code that throws', () => {
  it('is not published, and nothing of it is stored', async () => {
    const who = newWorkspace();
    const error = await refusal(send(CreateTransformation, { ...who, name: 'Bad', code: THROW, publish: true }));
    expect(error.code).toBe('tests_failed');
    expect(error.message).toContain('transformation Bad: Error: boom');
    expect(error.details).toMatchObject({
      published: false,
      validationOutput: {
        libraries: [],
        transformations: [{ name: 'Bad', pass: false, testResult: { status: 'error' } }],
      },
    });
    expect(await send(ListTransformations, who)).toEqual({ transformations: [] });
  });

  it('is refused without an id that names nothing; an update keeps the id of what it would change', async () => {
    const who = newWorkspace();
    const refused = await refusal(send(CreateTransformation, { ...who, name: 'Bad', code: THROW, publish: true }));
    const [created] = outputOf(refused);
    expect(created).not.toHaveProperty('id');
    expect(created).not.toHaveProperty('versionId');
    const { id } = await send(CreateTransformation, { ...who, name: 'Good', code: KEEP, publish: true });
    const [updated] = outputOf(await refusal(send(UpdateTransformation, { ...who, id, code: THROW, publish: true })));
    expect(updated).toMatchObject({ id });
    expect(updated).not.toHaveProperty('versionId');
  });
});

const outputOf = ({ details }: AppError) =>
  (details as { validationOutput: { transformations: object[] } }).validationOutput.transformations;
