import { queryOptions } from '@tanstack/react-query';
import { answer, api, type Schema } from './client.js';
import { every } from './refetch.js';

export type Trouble = Schema<'Trouble'>;

/** Every process of Weir, in which version it runs, and what it misses. */
export const processesQuery = queryOptions({
  queryKey: ['processes'],
  queryFn: async () => (await answer(api.GET('/v2/processes'))).processes,
  refetchInterval: every(5_000),
});

/** Troubles of now and of the last days. Weir looks for it in workspaces with an enabled channel. */
export const troublesQuery = queryOptions({
  queryKey: ['troubles'],
  queryFn: async () => (await answer(api.GET('/v2/notifications/troubles'))).troubles,
  refetchInterval: every(15_000),
});
