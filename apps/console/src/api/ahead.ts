import type { QueryKey, UseQueryOptions } from '@tanstack/react-query';
import { queryClient } from './query-client.js';
import { sessionQuery } from './session.js';

/**
 * Asks for what a page shows first, while its link is under the pointer or has the focus. Nobody waits for it, the page itself
 * tells of a failure, and nothing is asked for that the role may not read.
 */
export function ahead<Data, Key extends QueryKey>(area: string, query: UseQueryOptions<Data, Error, Data, Key>): void {
  const session = queryClient.getQueryData(sessionQuery.queryKey);
  if (session?.capabilities[area]?.includes('read')) void queryClient.prefetchQuery(query);
}
