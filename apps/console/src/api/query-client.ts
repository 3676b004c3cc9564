import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { WeirError } from './client.js';
import { isOfOtherSession } from './errors.js';
import { untilHealed } from './refetch.js';

/** Asks who is signed in. One answer is enough for all who ask meanwhile. */
export const askWho = () => void queryClient.refetchQueries({ queryKey: ['session'] }, { cancelRefetch: false });

const checkSession = (error: unknown) => {
  if (error instanceof WeirError && error.status === 401) queryClient.setQueryData(['session'], null);
  if (isOfOtherSession(error)) askWho();
};

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: checkSession }),
  mutationCache: new MutationCache({ onError: checkSession }),
  defaultOptions: {
    queries: {
      retry: false,
      staleTime: 2_000,
      refetchInterval: untilHealed,
    },
  },
});
