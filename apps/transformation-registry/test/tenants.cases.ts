import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  CreateLibrary,
  CreateTransformation,
  DeleteLibrary,
  DeleteLink,
  DeleteTransformation,
  GetBundle,
  GetDestinationRelease,
  GetLibrary,
  GetLibraryVersion,
  GetLink,
  GetTransformation,
  GetTransformationVersion,
  type Library,
  ListLibraries,
  ListLibraryVersions,
  ListTransformations,
  ListTransformationVersions,
  PublishRelease,
  PutLink,
  SetExternalId,
  TestRelease,
  type Transformation,
  UpdateLibrary,
  UpdateTransformation,
} from '@weir/contracts';
import { newKsuid } from '@weir/service-kit';
import { newWorkspace, refusal, useRegistry } from './registry.js';

const { send } = useRegistry();
const [owner, stranger] = [newWorkspace(), newWorkspace()];
const destinationId = newKsuid();
const listing = { count: 5, orderBy: 'ASC' as const };
const LIB = 'export const own = 1;';
const CODE = 'import { own } from "own"; export const transformEvent = (event) => event;';

let transformation: Transformation;
let library: Library;

beforeAll(async () => {
  library = await send(CreateLibrary, { ...owner, name: 'own', code: LIB, publish: true });
  const create = { ...owner, name: 'T', code: CODE, destinationIds: [destinationId], publish: true };
  transformation = await send(CreateTransformation, create);
});

/** Every call that names an object, with ids of the owner and the workspace of the caller. */
const calls: Record<string, (who: typeof owner) => Promise<unknown>> = {
  GetTransformation: (who) => send(GetTransformation, { ...who, id: transformation.id }),
  UpdateTransformation: (who) => send(UpdateTransformation, { ...who, id: transformation.id, publish: true }),
  ListTransformationVersions: (who) => send(ListTransformationVersions, { ...who, id: transformation.id, ...listing }),
  GetTransformationVersion: (who) => send(GetTransformationVersion, { ...who, ...idsOf(transformation) }),
  GetLibrary: (who) => send(GetLibrary, { ...who, id: library.id }),
  UpdateLibrary: (who) => send(UpdateLibrary, { ...who, id: library.id, publish: true }),
  ListLibraryVersions: (who) => send(ListLibraryVersions, { ...who, id: library.id, ...listing }),
  GetLibraryVersion: (who) => send(GetLibraryVersion, { ...who, ...idsOf(library) }),
  'PublishRelease of a transformation': (who) => send(PublishRelease, { ...who, items: items([transformation], []) }),
  'PublishRelease of a library': (who) => send(PublishRelease, { ...who, items: items([], [library]) }),
  TestRelease: (who) => send(TestRelease, { ...who, items: items([transformation], []) }),
  GetBundle: (who) => send(GetBundle, { ...who, versionId: transformation.versionId, libraryVersionIds: [] }),
  PutLink: (who) => send(PutLink, { ...who, destinationId, transformationId: transformation.id }),
  GetLink: (who) => send(GetLink, { ...who, destinationId }),
  SetExternalId: (who) => send(SetExternalId, { ...who, kind: 'library', id: library.id, externalId: 'x' }),
  DeleteLink: (who) => send(DeleteLink, { ...who, destinationId }),
  DeleteTransformation: (who) => send(DeleteTransformation, { ...who, id: transformation.id }),
  DeleteLibrary: (who) => send(DeleteLibrary, { ...who, id: library.id }),
};

const idsOf = ({ id, versionId }: { id: string; versionId: string }) => ({ id, versionId });
const items = (transformations: { versionId: string }[], libraries: { versionId: string }[]) => ({
  transformations: transformations.map(({ versionId }) => ({ versionId })),
  libraries: libraries.map(({ versionId }) => ({ versionId })),
});

describe('for another workspace', () => {
  it.each(Object.keys(calls))('%s finds nothing', async (name) => {
    expect((await refusal(calls[name]?.(stranger) ?? Promise.resolve())).code).toBe('not_found');
  });

  it('lists, releases and imports are empty', async () => {
    expect(await send(ListTransformations, stranger)).toEqual({ transformations: [] });
    expect(await send(ListLibraries, stranger)).toEqual({ libraries: [] });
    expect(await send(GetDestinationRelease, { ...stranger, destinationId })).toEqual({ release: null });
    const error = await refusal(send(CreateTransformation, { ...stranger, name: 'T', code: CODE, publish: true }));
    expect(error.message).toContain('import from own failed. Module not found.');
  });

  it('a bundle takes no library of the owner', async () => {
    const code = 'export const transformEvent = (event) => event;';
    const mine = await send(CreateTransformation, { ...stranger, name: 'M', code, publish: false });
    const bundle = { ...stranger, versionId: mine.versionId, libraryVersionIds: [library.versionId] };
    expect((await refusal(send(GetBundle, bundle))).code).toBe('not_found');
  });
});

describe('within a workspace', () => {
  it('a version of one transformation is not found at another', async () => {
    const other = await send(CreateTransformation, { ...owner, name: 'O', code: CODE, publish: false });
    const mixed = { ...owner, id: other.id, versionId: transformation.versionId };
    expect((await refusal(send(GetTransformationVersion, mixed))).code).toBe('not_found');
    const kinds = items([library], []);
    expect((await refusal(send(PublishRelease, { ...owner, items: kinds }))).code).toBe('not_found');
  });

  it.each(Object.keys(calls))('%s works for the owner, so the refusals mean something', async (name) => {
    await expect(calls[name]?.(owner)).resolves.toBeDefined();
  });
});
