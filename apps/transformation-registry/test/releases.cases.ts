import { describe, expect, it } from '@jest/globals';
import {
  CreateLibrary,
  CreateTransformation,
  DeleteLink,
  DeleteTransformation,
  type DestinationRelease,
  GetBundle,
  GetDestinationRelease,
  GetLink,
  GetTransformation,
  ListReleasesSince,
  PublishRelease,
  PutLink,
  RELEASE_PUBLISHED_SUBJECT,
  TestRelease,
  UpdateLibrary,
  UpdateTransformation,
} from '@weir/contracts';
import { newKsuid } from '@weir/service-kit';
import { KEEP, newWorkspace, refusal, THROW, useRegistry } from './registry.js';

const { send, nats } = useRegistry();

/** Publishing a fact takes as long as a few reads. The interval that repeats lost facts takes as long as hundreds. */
const READS_MAX = 50;
const ROUNDS = 10;

const LIB = 'export const tag = (event) => ({ ...event, tagged: 1 });';
const USES_LIB = 'import { tag } from "tagger"; export const transformEvent = (event) => tag(event);';

async function releasesOf(workspaceId: string): Promise<DestinationRelease[]> {
  const found: DestinationRelease[] = [];
  for (let after = 0, more = true; more; ) {
    const page = await send(ListReleasesSince, { after });
    found.push(...page.releases.filter((release) => release.workspaceId === workspaceId));
    after = page.releases.at(-1)?.release ?? after;
    more = page.more;
  }
  return found;
}

describe('the release of a destination', () => {
  it('follows every publish, of the transformation and of what it imports', async () => {
    const who = newWorkspace();
    const destination = { workspaceId: who.workspaceId, destinationId: newKsuid() };
    expect(await send(GetDestinationRelease, destination)).toEqual({ release: null });
    const lib = await send(CreateLibrary, { ...who, name: 'tagger', code: LIB, publish: true });
    const destinationIds = [destination.destinationId];
    const user = await send(CreateTransformation, { ...who, name: 'T', code: USES_LIB, destinationIds, publish: true });
    expect(user.destinations).toEqual(destinationIds);
    const first = (await send(GetDestinationRelease, destination)).release;
    expect(first).toMatchObject({
      transformationId: user.id,
      versionId: user.versionId,
      libraryVersionIds: [lib.versionId],
    });

    const better = await send(UpdateLibrary, { ...who, id: lib.id, code: LIB.replace('1', '2'), publish: true });
    const second = (await send(GetDestinationRelease, destination)).release;
    expect(second).toMatchObject({ versionId: user.versionId, libraryVersionIds: [better.versionId] });
    expect(second?.release).toBeGreaterThan(first?.release ?? 0);
    expect(await releasesOf(who.workspaceId)).toEqual([second]);

    const bundle = { ...who, versionId: user.versionId, libraryVersionIds: [lib.versionId] };
    expect(await send(GetBundle, bundle)).toEqual({
      key: `${user.versionId}:${lib.versionId}`,
      name: 'T',
      code: USES_LIB,
      libraries: [{ importName: 'tagger', code: LIB }],
    });
    await send(DeleteTransformation, { ...who, id: user.id });
    expect(await send(GetDestinationRelease, destination)).toEqual({ release: null });
    expect(await releasesOf(who.workspaceId)).toMatchObject([
      { ...destination, transformationId: null, versionId: null, libraryVersionIds: [] },
    ]);
  });

  it('does not change when what is live is published again', async () => {
    const who = newWorkspace();
    const destinationIds = [newKsuid()];
    const live = await send(CreateTransformation, { ...who, name: 'T', code: KEEP, destinationIds, publish: true });
    const before = await releasesOf(who.workspaceId);
    const items = { transformations: [{ versionId: live.versionId }], libraries: [] };
    expect((await send(PublishRelease, { ...who, items })).published).toBe(true);
    expect(await releasesOf(who.workspaceId)).toEqual(before);
    expect(await send(GetTransformation, { ...who, id: live.id })).toEqual(live);
  });

  it('is told as a fact right after each publish, not when a clock comes round', async () => {
    const told = new Set<number>();
    const subscription = nats.connection.subscribe(RELEASE_PUBLISHED_SUBJECT, {
      callback: (_, message) => void told.add(message.json<{ release: number }>().release),
    });
    const who = newWorkspace();
    const destination = { workspaceId: who.workspaceId, destinationId: newKsuid() };
    const destinationIds = [destination.destinationId];
    const { id } = await send(CreateTransformation, { ...who, name: 'T', code: KEEP, destinationIds, publish: true });
    let atOnce = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      await send(UpdateTransformation, { ...who, id, publish: true });
      let isTold = false;
      for (let reads = 0; reads < READS_MAX && !isTold; reads += 1) {
        const { release } = await send(GetDestinationRelease, destination);
        isTold = told.has(release?.release ?? 0);
      }
      if (isTold) atOnce += 1;
    }
    expect(atOnce).toBeGreaterThan(ROUNDS / 2); // a busy machine may be late now and then, a clock nearly always
    subscription.unsubscribe();
  });
});

describe('a link', () => {
  it('is put, replaced and removed, and the object of the transformation shows it', async () => {
    const who = newWorkspace();
    const destination = { workspaceId: who.workspaceId, destinationId: newKsuid() };
    const a = await send(CreateTransformation, { ...who, name: 'A', code: KEEP, publish: true });
    const b = await send(CreateTransformation, { ...who, name: 'B', code: KEEP, publish: true });
    expect((await refusal(send(GetLink, destination))).code).toBe('not_found');
    const put = await send(PutLink, { ...destination, transformationId: a.id });
    expect(await send(GetLink, destination)).toEqual(put);
    const replaced = await send(PutLink, { ...destination, transformationId: b.id });
    expect(replaced).toMatchObject({ transformationId: b.id, createdAt: put.createdAt });
    expect(await send(GetTransformation, { ...who, id: a.id })).toMatchObject({ destinations: [] });
    expect(await send(GetTransformation, { ...who, id: b.id })).toMatchObject({
      destinations: [destination.destinationId],
    });
    const { replaced: _, ...link } = replaced;
    expect(await send(DeleteLink, destination)).toEqual(link);
    expect((await refusal(send(DeleteLink, destination))).code).toBe('not_found');
    expect(await send(GetDestinationRelease, destination)).toEqual({ release: null });
  });

  it('needs published code', async () => {
    const who = newWorkspace();
    const draft = await send(CreateTransformation, { ...who, name: 'D', code: KEEP, publish: false });
    const link = { workspaceId: who.workspaceId, destinationId: newKsuid(), transformationId: draft.id };
    expect((await refusal(send(PutLink, link))).code).toBe('not_found');
    const early = { ...who, name: 'E', code: KEEP, destinationIds: [newKsuid()], publish: false };
    expect(await refusal(send(CreateTransformation, early))).toMatchObject({
      code: 'invalid',
      details: { destinationIds: expect.any(String) },
    });
  });

  it('is replaced by an update that names destinations, and left alone by one that does not', async () => {
    const who = newWorkspace();
    const [one, two] = [newKsuid(), newKsuid()];
    const create = { ...who, name: 'T', code: KEEP, destinationIds: [one, one], publish: true };
    const { id, destinations } = await send(CreateTransformation, create);
    expect(destinations).toEqual([one]);
    const update = { ...who, id, publish: true };
    expect(await send(UpdateTransformation, update)).toMatchObject({ destinations: [one] });
    expect(await send(UpdateTransformation, { ...update, destinationIds: [two] })).toMatchObject({
      destinations: [two],
    });
    expect(await send(GetDestinationRelease, { ...who, destinationId: one })).toEqual({ release: null });
    expect(await send(UpdateTransformation, { ...update, destinationIds: [] })).toMatchObject({ destinations: [] });
  });
});

describe('tests of a release', () => {
  it('compare with the expected output and tell each test apart', async () => {
    const who = newWorkspace();
    const code =
      'export function transformEvent(event) { if (event.n > 1) throw new Error("big"); return event.n ? event : null; }';
    const { versionId } = await send(CreateTransformation, { ...who, name: 'T', code, publish: false });
    const testSuite = [
      { id: 'a', name: 'same', input: [{ n: 1 }, { n: 0 }], expectedOutput: [{ n: 1 }] },
      { id: 'b', name: 'other', description: 'd', input: [{ n: 1 }], expectedOutput: [{ n: 2 }] },
      { id: 'c', name: 'throws', input: [{ n: 1 }, { n: 2 }] },
    ];
    const items = { transformations: [{ versionId, testSuite }], libraries: [] };
    const { pass, validationOutput } = await send(TestRelease, { ...who, items });
    expect(pass).toBe(false);
    expect(validationOutput.transformations[0]?.testResult).toMatchObject({
      status: 'error',
      results: [
        { id: 'a', name: 'same', status: 'pass', actualOutput: [{ n: 1 }], errors: [] },
        { id: 'b', name: 'other', description: 'd', status: 'fail', actualOutput: [{ n: 1 }] },
        {
          id: 'c',
          status: 'error',
          errors: [{ message: expect.stringContaining('big'), event: { n: 2 }, eventIndex: 1 }],
        },
      ],
    });
    expect((await refusal(send(PublishRelease, { ...who, items }))).code).toBe('tests_failed');
  });

  it('publish nothing when one of several fails', async () => {
    const who = newWorkspace();
    const good = await send(CreateTransformation, { ...who, name: 'G', code: KEEP, publish: false });
    const bad = await send(CreateTransformation, { ...who, name: 'B', code: THROW, publish: false });
    const items = { transformations: [good, bad].map(({ versionId }) => ({ versionId })), libraries: [] };
    expect((await refusal(send(PublishRelease, { ...who, items }))).message).toContain('transformation B');
    expect((await refusal(send(GetTransformation, { ...who, id: good.id }))).code).toBe('not_found');
  });

  it('need a version that is there', async () => {
    const items = { transformations: [{ versionId: newKsuid() }], libraries: [] };
    expect((await refusal(send(TestRelease, { ...newWorkspace(), items }))).code).toBe('not_found');
    const nothing = { transformations: [], libraries: [] };
    expect((await refusal(send(PublishRelease, { ...newWorkspace(), items: nothing }))).code).toBe('invalid');
  });
});
