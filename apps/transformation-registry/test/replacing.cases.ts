import { describe, expect, it } from '@jest/globals';
import { CreateTransformation, GetLink, GetTransformation, PutLink, UpdateTransformation } from '@weir/contracts';
import { newKsuid } from '@weir/service-kit';
import { KEEP, newWorkspace, refusal, THROW, useRegistry } from './registry.js';

const { send } = useRegistry();

/** A workspace with a transformation at two destinations. */
async function connected() {
  const who = newWorkspace();
  const destinationIds = [newKsuid(), newKsuid()].sort();
  const [destinationId = ''] = destinationIds;
  const create = { ...who, code: KEEP, publish: true, destinationIds };
  const first = await send(CreateTransformation, { ...create, name: 'First' });
  const live = async () => (await send(GetLink, { workspaceId: who.workspaceId, destinationId })).transformationId;
  return { who, create, destinationIds, destinationId, first, live };
}

describe('a publish to destinations with another transformation', () => {
  it('is refused on request, before any test, and names it', async () => {
    const { create, destinationId, first, live } = await connected();
    const error = await refusal(send(CreateTransformation, { ...create, name: 'Second', code: THROW, replace: false }));
    expect(error).toMatchObject({
      code: 'conflict',
      message:
        `destination ${destinationId} has the transformation First (${first.id}), ` +
        'and 1 more of these destinations have another one too: publish without replace=false to replace it',
    });
    expect(await live()).toBe(first.id);
  });

  it('replaces it, and the answer says what it replaced', async () => {
    const { who, create, destinationIds, first, live } = await connected();
    const second = await send(CreateTransformation, { ...create, name: 'Second' });
    const replaced = destinationIds.map((destinationId) => ({
      destinationId,
      transformationId: first.id,
      name: 'First',
    }));
    expect(second).toMatchObject({ destinations: destinationIds, replaced });
    const { destinations } = await send(GetTransformation, { workspaceId: who.workspaceId, id: first.id });
    expect(destinations).toEqual([]);
    expect(await live()).toBe(second.id);
  });

  it('of an update too, and never where the transformation is the same', async () => {
    const { who, destinationIds, first, live } = await connected();
    const update = { ...who, publish: true, destinationIds };
    const again = await send(UpdateTransformation, { ...update, id: first.id });
    expect(again).not.toHaveProperty('replaced');
    const other = await send(CreateTransformation, { ...who, name: 'Other', code: KEEP, publish: true });
    const kept = { ...update, id: other.id, replace: false };
    expect((await refusal(send(UpdateTransformation, kept))).code).toBe('conflict');
    const { replaced = [] } = await send(UpdateTransformation, { ...update, id: other.id });
    expect(replaced.map(({ name }) => name)).toEqual(['First', 'First']);
    expect(await live()).toBe(other.id);
  });
});

it('setting the transformation of a destination replaces it and names it', async () => {
  const { who, destinationId, first } = await connected();
  const other = await send(CreateTransformation, { ...who, name: 'Other', code: KEEP, publish: true });
  const put = { workspaceId: who.workspaceId, destinationId, transformationId: other.id };
  const replaced = { destinationId, transformationId: first.id, name: 'First' };
  expect(await send(PutLink, put)).toMatchObject({ transformationId: other.id, replaced });
  expect(await send(PutLink, put)).not.toHaveProperty('replaced');
});
