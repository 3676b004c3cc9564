import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { answer, api, type Schema } from './client.js';
import { cursorOf } from './pages.js';
import { every } from './query-client.js';

export type Regulation = Schema<'Regulation'>;
export type RegulationDetails = Schema<'RegulationDetails'>;

export const regulationsQuery = (userId: string) =>
  infiniteQueryOptions({
    queryKey: ['regulations', userId],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      answer(
        api.GET('/v2/regulations', {
          params: { query: { ...(userId ? { userId } : {}), ...(pageParam ? { after_cursor: pageParam } : {}) } },
        }),
      ),
    getNextPageParam: ({ paging }) => cursorOf(paging.next),
  });

const ENDED = new Set(['complete', 'aborted', 'not_supported', 'canceled', 'partial']);

export const regulationQuery = (id: string) =>
  queryOptions({
    queryKey: ['regulation', id],
    queryFn: () => answer(api.GET('/v2/regulations/{id}', { params: { path: { id } } })),
    refetchInterval: (query) => {
      const status = query.state.data?.deletion?.status;
      if (query.state.status === 'error') return every(3_000)(query);
      // one that failed is tried again, after a second at first and after an hour at last
      if (status === 'failed') return 10_000;
      return status && !ENDED.has(status) ? 2_000 : false;
    },
  });

/** The trail begins with its oldest entry, so the newest ones are at the end of its last page. */
export const auditQuery = infiniteQueryOptions({
  queryKey: ['audit'],
  initialPageParam: undefined as number | undefined,
  queryFn: ({ pageParam }) =>
    answer(api.GET('/v2/audit', { params: { query: pageParam === undefined ? {} : { after_cursor: pageParam } } })),
  getNextPageParam: ({ paging }) => {
    const cursor = cursorOf(paging.next);
    return cursor === undefined ? undefined : Number(cursor);
  },
});
