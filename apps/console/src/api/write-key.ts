import { useQuery } from '@tanstack/react-query';
import { answer, api } from './client.js';
import type { Source } from './inventory.js';
import { useCan } from './session.js';

/** Stands where the write key goes, until a person asks for it. */
export const HIDDEN_KEY = 'YOUR_WRITE_KEY';

/** The only answer that has a write key. The API gives it to who may change sources. */
export const readWriteKey = async (id: string): Promise<string> =>
  (await answer(api.GET('/v2/sources/{id}/write-key', { params: { path: { id } } }))).writeKey;

/** The write key of a source. It is fetched when the user asks, and dropped when the page closes. */
export function useWriteKey({ id }: Pick<Source, 'id'>) {
  const mayAsk = useCan('inventory', 'write');
  const query = useQuery({
    queryKey: ['write key', id],
    queryFn: () => readWriteKey(id),
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return {
    mayAsk,
    shown: query.data,
    error: query.error,
    ask: () => void query.refetch(),
    /** The text with the key filled in, for roles that may have it. */
    filledIn: async (text: string): Promise<string> =>
      mayAsk ? text.replaceAll(HIDDEN_KEY, query.data ?? (await readWriteKey(id))) : text,
  };
}
