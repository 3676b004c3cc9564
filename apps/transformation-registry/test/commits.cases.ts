import { expect, it } from '@jest/globals';
import {
  CreateLibrary,
  CreateTransformation,
  GetLibrary,
  GetTransformation,
  GetTransformationVersion,
  ListTransformationVersions,
  PublishRelease,
} from '@weir/contracts';
import { KEEP, newWorkspace, useRegistry } from './registry.js';

const { send, database } = useRegistry();

it('the commit of a publish is kept with the revisions that it made live, for good', async () => {
  const who = newWorkspace();
  const library = await send(CreateLibrary, { ...who, name: 'tools', code: 'export const a = 1;', publish: false });
  const first = await send(CreateTransformation, { ...who, name: 'T', code: KEEP, publish: false });
  expect(first).not.toHaveProperty('commitId');
  const items = {
    transformations: [{ versionId: first.versionId }],
    libraries: [{ versionId: library.versionId }],
  };
  await send(PublishRelease, { ...who, items, commitId: 'c0ffee' });
  const live = await send(GetTransformation, { ...who, id: first.id });
  expect([live.commitId, (await send(GetLibrary, { ...who, id: library.id })).commitId]).toEqual(['c0ffee', 'c0ffee']);

  await send(PublishRelease, { ...who, items });
  expect((await send(GetTransformation, { ...who, id: first.id })).etag).toBe(live.etag);
  await send(PublishRelease, { ...who, items, commitId: 'decaf' });
  const again = await send(GetTransformation, { ...who, id: first.id });
  expect([again.commitId, again.updatedAt]).toEqual(['decaf', live.updatedAt]);
  expect(again.etag).not.toBe(live.etag);

  const { versions } = await send(ListTransformationVersions, { ...who, id: first.id, count: 5, orderBy: 'ASC' });
  expect(versions).toMatchObject([{ commitId: 'decaf' }]);
  const version = { ...who, id: first.id, versionId: first.versionId };
  expect((await send(GetTransformationVersion, version)).commitId).toBe('decaf');
});

it('every publish is noted, and no note is ever changed', async () => {
  const who = newWorkspace();
  const { versionId } = await send(CreateTransformation, { ...who, name: 'T', code: KEEP, publish: true });
  const items = { transformations: [{ versionId }], libraries: [] };
  await send(PublishRelease, { ...who, createdBy: 'bo@example.com', items, commitId: 'c0ffee' });
  const notes = 'SELECT published_by, commit_id FROM publications WHERE workspace_id = $1 ORDER BY position';
  expect(await database.dataSource.query(notes, [who.workspaceId])).toEqual([
    { published_by: 'ada@example.com', commit_id: null },
    { published_by: 'bo@example.com', commit_id: 'c0ffee' },
  ]);
  for (const sql of [`UPDATE publications SET commit_id = 'x'`, 'DELETE FROM publications', 'TRUNCATE publications']) {
    await expect(database.dataSource.query(sql)).rejects.toThrow('append-only');
  }
});
