import { queryOptions } from '@tanstack/react-query';
import { answer, api, type Schema } from './client.js';
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

/** Newest first, as the API gives them. */
const REVISIONS_SHOWN = 50;

export const revisionsQuery = (id: string) =>
  queryOptions({
    queryKey: ['revisions', id],
    queryFn: async () =>
      (
        await answer(
          api.GET('/transformations/{id}/versions', {
            params: { path: { id }, query: { count: REVISIONS_SHOWN, orderBy: 'DESC' } },
          }),
        )
      ).TransformationVersions,
    refetchInterval: every(10_000),
  });

export const libraryRevisionsQuery = (id: string) =>
  queryOptions({
    queryKey: ['library revisions', id],
    queryFn: async () =>
      (
        await answer(
          api.GET('/libraries/{id}/versions', {
            params: { path: { id }, query: { count: REVISIONS_SHOWN, orderBy: 'DESC' } },
          }),
        )
      ).libraryVersions,
  });

export type SavedTest = Schema<'SavedTests'>['tests'][number];

/** Tests that stay with a transformation. Each publish runs them. */
export const savedTestsQuery = (id: string) =>
  queryOptions({
    queryKey: ['saved tests', id],
    queryFn: async () => (await answer(api.GET('/transformations/{id}/tests', { params: { path: { id } } }))).tests,
  });

export const saveTests = (id: string, tests: SavedTest[]) =>
  answer(api.PUT('/transformations/{id}/tests', { params: { path: { id } }, body: { tests } }));

/** Live code that runs a library, directly or through another one. */
export const usagesQuery = (id: string) =>
  queryOptions({
    queryKey: ['usages', id],
    queryFn: () => answer(api.GET('/libraries/{id}/usages', { params: { path: { id } } })),
  });
