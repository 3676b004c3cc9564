import { describe, expect, it } from '@jest/globals';
import {
  CreateLibrary,
  CreateTransformation,
  DeleteLibrary,
  DeleteTransformation,
  GetLibrary,
  GetTransformation,
  GetTransformationVersion,
  ListTransformations,
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
    const { transformations } = await send(ListTransformations, who);
    expect(transformations[0]).not.toHaveProperty('etag');
  });

  it('of a revision changes only when it goes live or is replaced', async () => {
    const who = newWorkspace();
    const { id, versionId } = await send(CreateTransformation, { ...who, name: 'T', code: KEEP, publish: true });
    const read = async () => tagOf(await send(GetTransformationVersion, { ...who, id, versionId }));
    const live = await read();
    await send(UpdateTransformation, { ...who, id, publish: false });
    expect(await read()).toEqual(live);
    await send(UpdateTransformation, { ...who, id, publish: true });
    expect(await read()).not.toEqual(live);
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
});
