import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { WeirError } from './client.js';
import { untilHealed } from './refetch.js';

const endSession = (error: unknown) => {
  if (error instanceof WeirError && error.status === 401) queryClient.setQueryData(['session'], null);
};

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: endSession }),
  mutationCache: new MutationCache({ onError: endSession }),
  defaultOptions: {
    queries: {
      retry: false,
      staleTime: 2_000,
      refetchInterval: untilHealed,
    },
  },
});
