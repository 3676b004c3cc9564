import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { paceOf } from '../lib/pace.js';
import { WeirError } from './client.js';

/** A panel that failed asks again this often, so that it heals without a hand. */
const HEAL_MS = 3_000;

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
      refetchInterval: ({ state }) => (state.status === 'error' && mayHeal(state.error) ? HEAL_MS : false),
    },
  },
});

/** A refusal stays one: only a server that is away or failing comes back. */
export const mayHeal = (error: unknown): boolean =>
  !(error instanceof WeirError) || error.status === 0 || error.status === 429 || error.status >= 500;

/** For lists that move by themselves: every `ms`, less often if they are long, or at the pace of healing after a failure. */
export const every =
  (ms: number) =>
  ({ state: { status, data } }: { state: { status: string; data?: unknown } }): number =>
    status === 'error' ? HEAL_MS : paceOf(ms, Array.isArray(data) ? data.length : 1);
