import { describe, expect, it } from '@jest/globals';
import {
  CreateLibrary,
  CreateTransformation,
  type DestinationRelease,
  GetDestinationRelease,
  GetLibrary,
  GetTransformation,
  ListLibraryVersions,
  ListReleasesSince,
  ListTransformationVersions,
  PublishRelease,
  UpdateLibrary,
  UpdateTransformation,
} from '@weir/contracts';
import { newKsuid } from '@weir/service-kit';
import { newWorkspace, useRegistry } from './registry.js';

const { send, database } = useRegistry();

const RIVALS = 20;
/** Only a pair with the same number passes. A mix of two publishes throws. */
const library = (n: number) => `export const number = ${n};`;
const transformation = (n: number) =>
  `import { number } from "number"; export function transformEvent(event) { if (number !== ${n}) throw new Error("mixed"); return event; }`;
const rivals = <T>(work: (n: number) => Promise<T>) => Promise.all(Array.from({ length: RIVALS }, (_, n) => work(n)));

describe('publishes of one transformation with its library at once', () => {
  it('leave exactly one pair, which some publish acknowledged, and every revision', async () => {
    const who = newWorkspace();
    const destinationId = newKsuid();
    const lib = await send(CreateLibrary, { ...who, name: 'number', code: library(-1), publish: true });
    const create = { ...who, name: 'T', code: transformation(-1), destinationIds: [destinationId], publish: true };
    const { id } = await send(CreateTransformation, create);
    const acknowledged = await rivals(async (n) => {
      const l = await send(UpdateLibrary, { ...who, id: lib.id, code: library(n), publish: false });
      const t = await send(UpdateTransformation, { ...who, id, code: transformation(n), publish: false });
      const items = { transformations: [{ versionId: t.versionId }], libraries: [{ versionId: l.versionId }] };
      await send(PublishRelease, { ...who, items });
      return `${t.versionId}:${l.versionId}`;
    });

    const live = await send(GetTransformation, { ...who, id });
    const liveLibrary = await send(GetLibrary, { ...who, id: lib.id });
    expect(acknowledged).toContain(`${live.versionId}:${liveLibrary.versionId}`);
    const { release } = await send(GetDestinationRelease, { ...who, destinationId });
    expect(release).toMatchObject({ versionId: live.versionId, libraryVersionIds: [liveLibrary.versionId] });
    const all = { ...who, id, count: 100, orderBy: 'ASC' as const };
    const { versions } = await send(ListTransformationVersions, all);
    expect(versions).toHaveLength(RIVALS + 1);
    expect(versions.filter(({ isPublished }) => isPublished).map(({ versionId }) => versionId)).toEqual([
      live.versionId,
    ]);
    expect((await send(ListLibraryVersions, { ...all, id: lib.id })).versions).toHaveLength(RIVALS + 1);
  });
});

describe('publishes that depend on each other', () => {
  /** Each change passes alone. After one of them, the other would break. */
  async function race(): Promise<string[]> {
    const who = newWorkspace();
    const using = (name: string) =>
      `import { ${name} } from "tools"; export const transformEvent = (event) => ({ ...event, used: ${name} });`;
    const both = 'export const a = 1; export const b = 2;';
    const lib = await send(CreateLibrary, { ...who, name: 'tools', code: both, publish: true });
    const { id } = await send(CreateTransformation, { ...who, name: 'T', code: using('a'), publish: true });
    const outcomes = [
      send(UpdateLibrary, { ...who, id: lib.id, code: 'export const a = 1;', publish: true }),
      send(UpdateTransformation, { ...who, id, code: using('b'), publish: true }),
    ].map((sending) =>
      sending.then(
        () => 'published',
        (error: { code: string }) => error.code,
      ),
    );
    return (await Promise.all(outcomes)).sort();
  }

  it('are tested again when the other one was first, so that only one passes', async () => {
    const outcomes = await Promise.all(Array.from({ length: 8 }, race));
    expect(outcomes).toEqual(outcomes.map(() => ['published', 'tests_failed']));
  });

  it('merge onto each other: no update of another field is lost', async () => {
    const who = newWorkspace();
    const code = 'export const transformEvent = (event) => event;';
    const { id } = await send(CreateTransformation, { ...who, name: 'T', code, publish: true });
    await Promise.all([
      send(UpdateTransformation, { ...who, id, name: 'New name', publish: true }),
      send(UpdateTransformation, { ...who, id, description: 'New text', publish: false }),
    ]);
    const { versions } = await send(ListTransformationVersions, { ...who, id, count: 1, orderBy: 'DESC' });
    expect(versions[0]).toMatchObject({ name: 'New name', description: 'New text' });
  });
});

describe('release numbers', () => {
  it('become visible in their order: a reader that polls misses none', async () => {
    const seen: DestinationRelease[] = [];
    let done = false;
    const poll = async () => {
      for (let after = 0; ; ) {
        const last = done;
        const { releases, more } = await send(ListReleasesSince, { after });
        seen.push(...releases);
        after = releases.at(-1)?.release ?? after;
        if (last && !more) return;
      }
    };
    const reading = poll();
    const published = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const who = newWorkspace();
        const destinationIds = [newKsuid(), newKsuid()];
        const create = {
          ...who,
          name: 'T',
          code: 'export const transformEvent = (e) => e;',
          destinationIds,
          publish: true,
        };
        const { id, versionId } = await send(CreateTransformation, create);
        const versionIds = [versionId];
        for (let n = 0; n < 4; n += 1) {
          versionIds.push((await send(UpdateTransformation, { ...who, id, publish: true })).versionId);
        }
        return destinationIds.map((destinationId) => ({ destinationId, versionId: versionIds.at(-1) }));
      }),
    );
    done = true;
    await reading;

    const numbers = seen.map(({ release }) => release);
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    const newest = new Map(seen.map(({ destinationId, versionId }) => [destinationId, versionId]));
    for (const { destinationId, versionId } of published.flat()) expect(newest.get(destinationId)).toBe(versionId);
  });
});

describe('revisions', () => {
  it.each(['transformation_revisions', 'library_revisions'])('in %s are never changed or removed', async (table) => {
    const who = newWorkspace();
    await send(CreateTransformation, { ...who, name: 'T', code: 'x', publish: false });
    await send(CreateLibrary, { ...who, name: 'L', code: 'x', publish: false });
    for (const sql of [`UPDATE ${table} SET code = 'y'`, `DELETE FROM ${table}`, `TRUNCATE ${table} CASCADE`]) {
      await expect(database.dataSource.query(sql)).rejects.toThrow('append-only');
    }
  });
});
