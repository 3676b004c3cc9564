import { queryOptions } from '@tanstack/react-query';
import { answer, api, type Schema } from './client.js';
import { every } from './query-client.js';

export type Transformation = Schema<'Transformation'>;
export type Library = Schema<'Library'>;
export type Revision = Schema<'TransformationRevision'>;
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
