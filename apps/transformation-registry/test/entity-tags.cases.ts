import { describe, expect, it } from '@jest/globals';
import {
  CreateLibrary,
  CreateTransformation,
  DeleteLibrary,
  DeleteTransformation,
  GetLibrary,
  GetLibraryVersion,
  GetTransformation,
  GetTransformationVersion,
  ListLibraries,
  ListLibraryVersions,
  ListTransformations,
  ListTransformationVersions,
  PublishRelease,
  PutLink,
  SetExternalId,
  UpdateLibrary,
  UpdateTransformation,
} from '@weir/contracts';
import { newKsuid } from '@weir/service-kit';
import { KEEP, newWorkspace, refusal, useRegistry } from './registry.js';

const { send } = useRegistry();

const tagOf = (object: { etag?: string | undefined }): string[] => [object.etag ?? 'there is none'];

describe('the tag of a transformation', () => {
  it('changes with whatever may be changed, and with nothing else', async () => {
    const who = newWorkspace();
    const created = await send(CreateTransformation, { ...who, name: 'T', code: KEEP, publish: true });
    const one = { ...who, id: created.id };
    const read = async () => tagOf(await send(GetTransformation, one));
    const seen = [await read()];
    expect(seen[0]).toEqual(tagOf(created));
    expect(await read()).toEqual(seen[0]);
    const changes = [
      () => send(UpdateTransformation, { ...one, description: 'draft', publish: false }),
      () => send(UpdateTransformation, { ...one, description: 'live', publish: true }),
      () => send(SetExternalId, { ...one, kind: 'transformation', externalId: 'mine' }),
      () => send(PutLink, { ...who, destinationId: newKsuid(), transformationId: created.id }),
    ];
    for (const change of changes) {
      await change();
      seen.push(await read());
    }
    expect(new Set(seen.flat()).size).toBe(changes.length + 1);
  });

  it('is the same in every view while a draft lies on top of live code that a commit names', async () => {
    const who = newWorkspace();
    const library = { ...who, name: 'L', code: 'export const a = 1;', publish: true };
    const objects = [
      { ...views.transformation(who), ...(await send(CreateTransformation, { ...library, name: 'T', code: KEEP })) },
      { ...views.library(who), ...(await send(CreateLibrary, library)) },
    ];
    for (const { id, versionId, publish, draft, seen } of objects) {
      await publish(versionId, 'c0ffee');
      const { etag, versionId: later } = await draft(id);
      const tags = await seen(id, [versionId, later]);
      expect(tags).toEqual(tags.map(() => etag));
      // A second `weir publish`, after a first one that failed its tests, names the tag of a list.
      await publish(later, 'decaf', tags[0]);
      const after = await seen(id, [versionId, later]);
      expect(new Set(after).size).toBe(1);
      expect(after[0]).not.toBe(etag);
    }
  });

  it('changes when a revision goes live under another commit, and not when it is published as before', async () => {
    const who = newWorkspace();
    const { id, versionId } = await send(CreateTransformation, { ...who, name: 'T', code: KEEP, publish: true });
    const { publish, seen } = views.transformation(who);
    const read = async () => (await seen(id, [versionId]))[0];
    const first = await read();
    await publish(versionId);
    expect(await read()).toBe(first);
    await publish(versionId, 'c0ffee');
    expect(await read()).not.toBe(first);
  });
});

describe('a change under a condition', () => {
  it('is made when nothing has changed since, else refused with nothing stored', async () => {
    const who = newWorkspace();
    const created = await send(CreateTransformation, { ...who, name: 'T', code: KEEP, publish: true });
    const one = { ...who, id: created.id };
    const second = await send(UpdateTransformation, { ...one, publish: false, ifMatch: tagOf(created) });
    const late = send(UpdateTransformation, { ...one, description: 'late', publish: true, ifMatch: tagOf(created) });
    expect((await refusal(late)).code).toBe('precondition_failed');
    expect((await refusal(send(DeleteTransformation, { ...one, ifMatch: tagOf(created) }))).code).toBe(
      'precondition_failed',
    );
    expect(tagOf(await send(GetTransformation, one))).toEqual(tagOf(second));
    await send(DeleteTransformation, { ...one, ifMatch: tagOf(second) });
  });

  it('lets one of many through that have read the same', async () => {
    const who = newWorkspace();
    const created = await send(CreateTransformation, { ...who, name: 'T', code: KEEP, publish: true });
    const rivals = Array.from({ length: 10 }, (_, n) =>
      send(UpdateTransformation, {
        ...{ ...who, id: created.id, description: `${n}`, publish: n % 2 === 0, ifMatch: tagOf(created) },
      }).then(
        () => 'made',
        (error: { code: string }) => error.code,
      ),
    );
    const outcomes = await Promise.all(rivals);
    expect(outcomes.filter((outcome) => outcome === 'made')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'precondition_failed')).toHaveLength(9);
  });

  it('holds for libraries too', async () => {
    const who = newWorkspace();
    const code = 'export const a = 1;';
    const created = await send(CreateLibrary, { ...who, name: 'L', code, publish: true });
    const one = { ...who, id: created.id };
    expect(tagOf(await send(GetLibrary, one))).toEqual(tagOf(created));
    const second = await send(UpdateLibrary, { ...one, description: 'd', publish: true, ifMatch: tagOf(created) });
    const stale = { ...one, ifMatch: tagOf(created) };
    expect((await refusal(send(UpdateLibrary, { ...stale, publish: false }))).code).toBe('precondition_failed');
    expect((await refusal(send(DeleteLibrary, stale))).code).toBe('precondition_failed');
    await send(DeleteLibrary, { ...one, ifMatch: tagOf(second) });
  });

  it('of a publish names the state of each object, and with one that is stale nothing goes live', async () => {
    const who = newWorkspace();
    const { publish, draft, seen } = views.transformation(who);
    const stale = await send(CreateTransformation, { ...who, name: 'T', code: KEEP, publish: true });
    const mine = await draft(stale.id);
    const theirs = await draft(stale.id);
    const late = await refusal(publish(mine.versionId, undefined, mine.etag));
    expect(late).toMatchObject({
      code: 'precondition_failed',
      message: expect.stringContaining('transformation T has changed since you read it'),
    });
    const live = await send(GetTransformation, { ...who, id: stale.id });
    expect(live.versionId).toBe(stale.versionId);
    await publish(theirs.versionId, undefined, theirs.etag);

    const [last] = await seen(stale.id, []);
    await send(DeleteTransformation, { ...who, id: stale.id });
    expect((await refusal(publish(theirs.versionId, undefined, last))).message).toContain('was deleted');
    await publish(theirs.versionId);
  });
});

type Who = ReturnType<typeof newWorkspace>;

/** Every way to see one object, and to change it. */
const views = {
  transformation: (who: Who) => ({
    publish: (versionId: string, commitId?: string, etag?: string) =>
      send(PublishRelease, { ...who, commitId, items: { transformations: [item(versionId, etag)], libraries: [] } }),
    draft: (id: string) => send(UpdateTransformation, { ...who, id, code: `${KEEP}//`, publish: false }),
    seen: async (id: string, versionIds: string[]) => {
      const one = { ...who, id };
      const lists = ['all', 'published'] as const;
      const listed = await Promise.all(lists.map((status) => send(ListTransformations, { ...who, status })));
      const versions = await send(ListTransformationVersions, { ...one, count: 9, orderBy: 'ASC' });
      const shown = await Promise.all(versionIds.map((v) => send(GetTransformationVersion, { ...one, versionId: v })));
      const all = [...listed.flatMap(({ transformations }) => transformations), ...versions.versions, ...shown];
      return [...all, await send(GetTransformation, one)].map(({ etag }) => etag);
    },
  }),
  library: (who: Who) => ({
    publish: (versionId: string, commitId?: string, etag?: string) =>
      send(PublishRelease, { ...who, commitId, items: { transformations: [], libraries: [item(versionId, etag)] } }),
    draft: (id: string) => send(UpdateLibrary, { ...who, id, code: 'export const a = 2;', publish: false }),
    seen: async (id: string, versionIds: string[]) => {
      const one = { ...who, id };
      const lists = ['all', 'published'] as const;
      const listed = await Promise.all(lists.map((status) => send(ListLibraries, { ...who, status })));
      const versions = await send(ListLibraryVersions, { ...one, count: 9, orderBy: 'ASC' });
      const shown = await Promise.all(versionIds.map((v) => send(GetLibraryVersion, { ...one, versionId: v })));
      const all = [...listed.flatMap(({ libraries }) => libraries), ...versions.versions, ...shown];
      return [...all, await send(GetLibrary, one)].map(({ etag }) => etag);
    },
  }),
};

const item = (versionId: string, etag: string | undefined) => ({ versionId, ...(etag && { ifMatch: [etag] }) });
