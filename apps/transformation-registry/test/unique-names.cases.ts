import { describe, expect, it } from '@jest/globals';
import {
  type AppError,
  CreateLibrary,
  CreateTransformation,
  DeleteLibrary,
  DeleteTransformation,
  ListTransformations,
  UpdateTransformation,
} from '@weir/contracts';
import { KEEP, newWorkspace, refusal, useRegistry } from './registry.js';

const { send } = useRegistry();

const LIBRARY = 'export const one = 1;';
const RIVALS = 10;
const takenBy = (existingId: string) => ({ code: 'conflict', details: { existingId } });

describe('a create with a unique name', () => {
  it('is refused while the name is that of a live transformation or of a draft, and tells whose it is', async () => {
    const who = newWorkspace();
    for (const publish of [true, false]) {
      const create = { ...who, name: `T ${publish}`, code: KEEP, publish: false, uniqueName: true };
      const { id } = await send(CreateTransformation, { ...create, publish });
      expect(await refusal(send(CreateTransformation, create))).toMatchObject(takenBy(id));
      expect(await refusal(send(CreateTransformation, { ...create, name: ` ${create.name} ` }))).toMatchObject(
        takenBy(id),
      );
      expect(await refusal(send(CreateTransformation, { ...create, publish: true }))).toMatchObject(takenBy(id));
      await send(DeleteTransformation, { ...who, id, status: publish ? 'published' : 'draft' });
      await send(CreateTransformation, create);
    }
  });

  it('is refused for libraries too', async () => {
    const who = newWorkspace();
    const create = { ...who, name: 'L', code: LIBRARY, publish: false, uniqueName: true };
    const { id } = await send(CreateLibrary, create);
    expect(await refusal(send(CreateLibrary, create))).toMatchObject(takenBy(id));
    await send(DeleteLibrary, { ...who, id, status: 'draft' });
    await send(CreateLibrary, create);
  });

  it('minds the name that lists show, not one that a draft on top would bring', async () => {
    const who = newWorkspace();
    const { id } = await send(CreateTransformation, { ...who, name: 'shown', code: KEEP, publish: true });
    await send(UpdateTransformation, { ...who, id, name: 'later', publish: false });
    const create = { ...who, code: KEEP, publish: false, uniqueName: true };
    expect(await refusal(send(CreateTransformation, { ...create, name: 'shown' }))).toMatchObject(takenBy(id));
    await send(CreateTransformation, { ...create, name: 'later' });
  });

  it('is made without the option, in another workspace, and beside a library of the name', async () => {
    const who = newWorkspace();
    const create = { ...who, name: 'N', code: KEEP, publish: false };
    await send(CreateTransformation, create);
    await send(CreateTransformation, create);
    await send(CreateTransformation, { ...create, ...newWorkspace(), uniqueName: true });
    await send(CreateLibrary, { ...create, code: LIBRARY, uniqueName: true });
  });

  it('is made once by many that begin together', async () => {
    const who = newWorkspace();
    const rivals = Array.from({ length: RIVALS }, (_, n) =>
      send(CreateTransformation, { ...who, name: 'one', code: KEEP, publish: n % 2 === 0, uniqueName: true }).then(
        ({ id }) => ({ id, code: 'made' }),
        ({ code, details }: AppError) => ({ id: details?.['existingId'], code }),
      ),
    );
    const outcomes = await Promise.all(rivals);
    expect(outcomes.map(({ code }) => code).sort()).toEqual([...Array(RIVALS - 1).fill('conflict'), 'made']);
    expect(new Set(outcomes.map(({ id }) => id)).size).toBe(1);
    const { transformations } = await send(ListTransformations, { ...who, status: 'all' });
    expect(transformations).toHaveLength(1);
  });
});
