import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { answer, api, type Schema } from './client.js';
import { cursorOf, firstCount } from './pages.js';
import { every, untilHealed } from './refetch.js';

export type Regulation = Schema<'ListedRegulation'>;
export type RegulationDetails = Schema<'RegulationDetails'>;
export type DeletionStatus = NonNullable<RegulationDetails['deletion']>['status'];
/** The states by which people look for deletions. */
export const DELETION_STATES = [
  'failed',
  'partial',
  'aborted',
  'pending',
  'running',
  'forwarded',
  'complete',
  'not_supported',
  'canceled',
] as const satisfies readonly DeletionStatus[];

/** Newest first, so that the one that was just made is in sight. */
export const regulationsQuery = (userId: string, status?: DeletionStatus) =>
  infiniteQueryOptions({
    queryKey: ['regulations', userId, status],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      answer(
        api.GET('/v2/regulations', {
          params: {
            query: {
              order: 'desc',
              details: true,
              ...(userId ? { userId } : {}),
              ...(status ? { status } : {}),
              ...(pageParam ? { after_cursor: pageParam } : {}),
            },
          },
        }),
      ),
    getNextPageParam: ({ paging }) => cursorOf(paging.next),
  });

/** States of deletions in which a destination still holds the data of a user. `partial` is the end where Weir itself deleted its part. */
export type Unfinished = Extract<DeletionStatus, 'failed' | 'partial' | 'aborted'>;

/** Weir tries for 30 days. What it gave up then is told for 30 more, because nobody can mend it, and it would be told for ever. */
const TOLD_MS = 60 * 86_400_000;

/** How many regulations of the last 60 days have a deletion in this state, as far as their first page tells. */
export const unfinishedQuery = (status: Unfinished) =>
  queryOptions({
    queryKey: ['regulations', 'count', status],
    queryFn: () => {
      const since = new Date(Date.now() - TOLD_MS).toISOString();
      return firstCount(
        (after_cursor) =>
          answer(
            api.GET('/v2/regulations', {
              params: {
                query: {
                  status,
                  canceled: false,
                  order: 'desc',
                  details: true,
                  ...(after_cursor ? { after_cursor } : {}),
                },
              },
            }),
          ),
        ({ createdAt = since }) => createdAt >= since,
      );
    },
    refetchInterval: every(60_000),
  });

const ENDED = new Set(['complete', 'aborted', 'not_supported', 'canceled', 'partial']);

export const regulationQuery = (id: string) =>
  queryOptions({
    queryKey: ['regulation', id],
    queryFn: () => answer(api.GET('/v2/regulations/{id}', { params: { path: { id } } })),
    refetchInterval: (query) => {
      const status = query.state.data?.deletion?.status;
      if (query.state.status === 'error') return untilHealed(query);
      // one that failed is tried again, after a second at first and after an hour at last
      if (status === 'failed') return 10_000;
      return status && !ENDED.has(status) ? 2_000 : false;
    },
  });

/** The trail from its newest entry back to its first one. */
export const auditQuery = infiniteQueryOptions({
  queryKey: ['audit'],
  initialPageParam: undefined as number | undefined,
  queryFn: ({ pageParam }) =>
    answer(
      api.GET('/v2/audit', {
        params: { query: { order: 'desc', ...(pageParam === undefined ? {} : { after_cursor: pageParam }) } },
      }),
    ),
  getNextPageParam: ({ paging }) => {
    const cursor = cursorOf(paging.next);
    return cursor === undefined ? undefined : Number(cursor);
  },
});
