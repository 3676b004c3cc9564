import { describe, expect, it } from '@jest/globals';
import {
  CreateLibrary,
  CreateTransformation,
  GetDestinationRelease,
  GetTransformation,
  ListLibraryUsages,
  ListTransformationVersions,
  RollbackTransformation,
  UpdateLibrary,
  UpdateTransformation,
} from '@weir/contracts';
import { newKsuid } from '@weir/service-kit';
import { KEEP, newWorkspace, refusal, useRegistry } from './registry.js';

const { send } = useRegistry();

describe('a rollback', () => {
  it('makes an earlier revision live again, for destinations too, and writes no history anew', async () => {
    const who = newWorkspace();
    const destinationId = newKsuid();
    const create = { ...who, name: 'T', code: KEEP, destinationIds: [destinationId], publish: true };
    const first = await send(CreateTransformation, create);
    const one = { ...who, id: first.id };
    const second = await send(UpdateTransformation, { ...one, description: 'new', publish: true });
    const { validationOutput, ...live } = await send(RollbackTransformation, { ...one, versionId: first.versionId });
    expect(live).toMatchObject({ versionId: first.versionId, description: '', destinations: [destinationId] });
    expect(validationOutput.transformations).toMatchObject([{ versionId: first.versionId, pass: true }]);
    expect(await send(GetTransformation, one)).toEqual(live);
    const { release } = await send(GetDestinationRelease, { ...who, destinationId });
    expect(release).toMatchObject({ versionId: first.versionId });
    const { versions } = await send(ListTransformationVersions, { ...one, count: 9, orderBy: 'ASC' });
    expect(versions.map(({ versionId, isPublished }) => [versionId, isPublished])).toEqual([
      [first.versionId, true],
      [second.versionId, false],
    ]);
  });

  it('is refused when the code does not fit what is live now, and changes nothing', async () => {
    const who = newWorkspace();
    const lib = await send(CreateLibrary, { ...who, name: 'tools', code: 'export const a = 1;', publish: true });
    const using = 'import { a } from "tools"; export const transformEvent = (event) => ({ ...event, a });';
    const first = await send(CreateTransformation, { ...who, name: 'T', code: using, publish: true });
    const one = { ...who, id: first.id };
    const second = await send(UpdateTransformation, { ...one, code: KEEP, publish: true });
    await send(UpdateLibrary, { ...who, id: lib.id, code: 'export const b = 1;', publish: true });
    const error = await refusal(send(RollbackTransformation, { ...one, versionId: first.versionId }));
    expect(error).toMatchObject({ code: 'tests_failed', details: { published: false } });
    expect(await send(GetTransformation, one)).toMatchObject({ versionId: second.versionId });
  });

  it('is only to a revision of the transformation, as it was read', async () => {
    const who = newWorkspace();
    const [mine, other] = await Promise.all(
      ['A', 'B'].map((name) => send(CreateTransformation, { ...who, name, code: KEEP, publish: true })),
    );
    if (!mine || !other) throw new Error('there are two');
    const to = (versionId: string, ifMatch?: string[]) =>
      refusal(send(RollbackTransformation, { ...who, id: mine.id, versionId, ...(ifMatch && { ifMatch }) }));
    expect((await to(other.versionId)).code).toBe('not_found');
    expect((await to(newKsuid())).code).toBe('not_found');
    expect((await to(mine.versionId, ['stale'])).code).toBe('precondition_failed');
    const stranger = { ...newWorkspace(), id: mine.id, versionId: mine.versionId };
    expect((await refusal(send(RollbackTransformation, stranger))).code).toBe('not_found');
  });
});

it('usages of a library are those of its own workspace, while it is published', async () => {
  const who = newWorkspace();
  const lib = await send(CreateLibrary, { ...who, name: 'tools', code: 'export const a = 1;', publish: true });
  const code = 'import { a } from "tools"; export const transformEvent = (event) => ({ ...event, a });';
  const user = await send(CreateTransformation, { ...who, name: 'T', code, publish: true });
  await send(CreateTransformation, { ...who, name: 'draft', code, publish: false });
  const { id, versionId, name } = user;
  expect(await send(ListLibraryUsages, { ...who, id: lib.id })).toEqual({
    usages: [{ kind: 'transformation', id, versionId, name, direct: true }],
    total: 1,
  });
  expect((await refusal(send(ListLibraryUsages, { ...newWorkspace(), id: lib.id }))).code).toBe('not_found');
});

describe('an update that brings no code', () => {
  const GOOD = 'export const transformEvent = (event) => ({ ...event, good: true });';
  const BAD = 'export const transformEvent = (event) => ({ ...event, bad: true });';

  /** Version 1 is good and live again. Version 2 was live and then rolled back. */
  async function rolledBack() {
    const who = newWorkspace();
    const first = await send(CreateTransformation, { ...who, name: 'T', code: GOOD, publish: true });
    const one = { ...who, id: first.id };
    const second = await send(UpdateTransformation, { ...one, code: BAD, publish: true });
    await send(RollbackTransformation, { ...one, versionId: first.versionId });
    return { one, first, second };
  }

  it('publishes the live code after a rollback, not what was rolled back, and says on what it is based', async () => {
    const { one, first } = await rolledBack();
    const updated = await send(UpdateTransformation, { ...one, description: 'said anew', publish: true });
    expect(updated).toMatchObject({ code: GOOD, description: 'said anew', basedOn: first.versionId });
    expect(await send(GetTransformation, one)).toMatchObject({ code: GOOD, versionId: updated.versionId });
    const again = await send(UpdateTransformation, { ...one, name: 'U', publish: true });
    expect(again).toMatchObject({ code: GOOD, description: 'said anew', basedOn: updated.versionId });
  });

  it('does so also behind a draft that took over the code that was rolled back', async () => {
    const { one, first, second } = await rolledBack();
    const draft = await send(UpdateTransformation, { ...one, description: 'draft', publish: false });
    expect(draft).toMatchObject({ code: BAD, basedOn: second.versionId });
    const updated = await send(UpdateTransformation, { ...one, description: 'live', publish: true });
    expect(updated).toMatchObject({ code: GOOD, basedOn: first.versionId });
  });

  it('builds on the latest revision where nothing was rolled back', async () => {
    const who = newWorkspace();
    const { id } = await send(CreateTransformation, { ...who, name: 'T', code: BAD, publish: true });
    const draft = await send(UpdateTransformation, { ...who, id, code: GOOD, publish: false });
    const updated = await send(UpdateTransformation, { ...who, id, publish: true });
    expect(updated).toMatchObject({ code: GOOD, basedOn: draft.versionId });
  });

  it('leaves code that it brings as it is', async () => {
    const { one } = await rolledBack();
    expect(await send(UpdateTransformation, { ...one, code: KEEP, publish: true })).toMatchObject({ code: KEEP });
  });
});
