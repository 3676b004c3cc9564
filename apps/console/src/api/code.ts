import { queryOptions } from '@tanstack/react-query';
import { answer, api, type Schema, tagged } from './client.js';
import { isUnknown } from './errors.js';
import { every } from './refetch.js';

export type Transformation = Schema<'Transformation'>;
export type Library = Schema<'Library'>;
export type Revision = Schema<'TransformationRevision'>;
export type LibraryRevision = Schema<'LibraryRevision'>;
export type Output = Schema<'ValidationOutput'>;

/** Published ones and drafts. The list of all names a draft beside its published code only once, by `isPublished`. */
export const transformationsQuery = queryOptions({
  queryKey: ['transformations'],
  queryFn: async () =>
    (await answer(api.GET('/transformations', { params: { query: { status: 'all' } } }))).transformations,
  refetchInterval: every(15_000),
});

export const librariesQuery = queryOptions({
  queryKey: ['libraries'],
  queryFn: async () => (await answer(api.GET('/libraries', { params: { query: { status: 'all' } } }))).libraries,
  refetchInterval: every(30_000),
});

/** Revisions at first. Each "Show older" asks for as many again. */
export const REVISIONS_STEP = 50;

/** A piece of code with its history. */
export interface History<One> {
  /** Newest first. */
  revisions: readonly One[];
  /** Whether older ones may be left. */
  isMore: boolean;
  /** The live revision, which may be older than all of these. */
  liveId: string | undefined;
  etag: string | undefined;
}

type Found = { isPublished?: boolean | undefined; versionId: string };

/**
 * Reads the object before its revisions: a revision that comes in between then has a newer tag, and the save of an older one is refused. Of
 * what was deleted only the revisions are left.
 */
async function historyOf<One>(
  object: Promise<{ data: Found; etag: string | undefined }>,
  count: number,
  read: (query: { count: number; orderBy: 'DESC' }) => Promise<readonly One[]>,
): Promise<History<One>> {
  const found = await object.catch((error: unknown) => {
    if (isUnknown(error)) return undefined;
    throw error;
  });
  const revisions = await read({ count, orderBy: 'DESC' });
  const liveId = found?.data.isPublished ? found.data.versionId : undefined;
  return { revisions, isMore: revisions.length === count, liveId, etag: found?.etag };
}

export const revisionsQuery = (id: string, count = REVISIONS_STEP) =>
  queryOptions({
    queryKey: ['revisions', id, count],
    queryFn: () =>
      historyOf(
        tagged(api.GET('/transformations/{id}', { params: { path: { id }, query: { status: 'all' } } })),
        count,
        async (query) =>
          (await answer(api.GET('/transformations/{id}/versions', { params: { path: { id }, query } })))
            .TransformationVersions,
      ),
    refetchInterval: every(10_000),
  });

export const libraryRevisionsQuery = (id: string, count = REVISIONS_STEP) =>
  queryOptions({
    queryKey: ['library revisions', id, count],
    queryFn: () =>
      historyOf(
        tagged(api.GET('/libraries/{id}', { params: { path: { id }, query: { status: 'all' } } })),
        count,
        async (query) =>
          (await answer(api.GET('/libraries/{id}/versions', { params: { path: { id }, query } }))).libraryVersions,
      ),
    refetchInterval: every(30_000),
  });

export type SavedTest = Schema<'SavedTests'>['tests'][number];

/** Tests that stay with a transformation. Each publish runs them. */
export const savedTestsQuery = (id: string) =>
  queryOptions({
    queryKey: ['saved tests', id],
    queryFn: async () => (await answer(api.GET('/transformations/{id}/tests', { params: { path: { id } } }))).tests,
  });

/** Reads the tests again and makes one change to them, so that nobody else's is lost. */
export async function changeTests(id: string, change: (tests: SavedTest[]) => SavedTest[]): Promise<void> {
  const { tests } = await answer(api.GET('/transformations/{id}/tests', { params: { path: { id } } }));
  await answer(api.PUT('/transformations/{id}/tests', { params: { path: { id } }, body: { tests: change(tests) } }));
}

/** Live code that runs a library, directly or through another one. */
export const usagesQuery = (id: string) =>
  queryOptions({
    queryKey: ['usages', id],
    queryFn: () => answer(api.GET('/libraries/{id}/usages', { params: { path: { id } } })),
  });
