import { useEffect, useState } from 'react';
import { api, type WeirError } from '../../api/client.js';
import type { EventFilters } from '../../lib/filters.js';
import { paused, START, type Stream } from './buffer.js';
import { follow } from './follow.js';

type Ask = Pick<EventFilters, 'source' | 'destination' | 'type'>;

/**
 * The live stream, newest first. A pause holds the picture still, and keeps what comes as long as there is room. Without anything asked, no
 * stream is open.
 */
export function useStream(ask: Ask | undefined, isPaused: boolean): Stream {
  const [stream, setStream] = useState(START);
  const [held, setHeld] = useState<Stream>();
  const query = ask && queryOf(ask);
  useEffect(() => {
    setHeld(undefined);
    if (query === undefined) return undefined;
    return follow({ url: `/v2/live-events?${query}`, refusalOf: () => refusalOf(query), tell: setStream });
  }, [query]);
  if (isPaused && !held) setHeld(stream);
  if (!isPaused && held) setHeld(undefined);
  return isPaused && held ? paused(held, stream) : stream;
}

const queryOf = ({ source, destination, type }: Ask): string =>
  new URLSearchParams(
    Object.entries({ sourceId: source, destinationId: destination, type }).flatMap(([name, value]) =>
      value ? [[name, value]] : [],
    ),
  ).toString();

/** An event source tells no reason, so the same is asked once more. Undefined if there is none any longer. */
async function refusalOf(query: string): Promise<WeirError | undefined> {
  const asked = new AbortController();
  const params = { query: Object.fromEntries(new URLSearchParams(query)) };
  const { error } = await api.GET('/v2/live-events', { params, parseAs: 'stream', signal: asked.signal });
  asked.abort();
  return error;
}
