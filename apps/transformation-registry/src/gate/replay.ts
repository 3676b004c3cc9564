import { isDeepStrictEqual } from 'node:util';
import type { EventResult, FetchRecord, JsonObject, Replay } from '@weir/contracts';
import { changedKeys } from './changed-keys.js';
import { eventEvidence } from './evidence.js';

type Outcome = Replay['differences'][number]['live'];

interface Run {
  results: readonly EventResult[];
  fetches: readonly FetchRecord[];
}

/**
 * Runs of the live version and the candidate over the same events. `live` is undefined if no version is live, and events then
 * stay unchanged.
 */
export interface Replayed {
  liveVersionId: string | null;
  live: Run | undefined;
  next: Run;
}

/** Differences that the candidate would make for real events. */
export function replayOf(samples: readonly JsonObject[], { liveVersionId, live, next }: Replayed): Replay {
  const differences = samples.flatMap((input, index) => {
    const now = outcomeOf(input, live ? live.results[index] : { status: 'ok', outputs: [input] });
    const then = outcomeOf(input, next.results[index]);
    if (isDeepStrictEqual(now, then)) return [];
    return [{ input, live: now, next: then, ...changedKeys(now.outputs, then.outputs) }];
  });
  const fetches = [...(live?.fetches ?? []), ...next.fetches];
  return { liveVersionId, samples: samples.length, changed: differences.length, differences, fetches };
}

function outcomeOf(input: JsonObject, result: EventResult = { status: 'dropped' }): Outcome {
  const { outcome, outputs, error } = eventEvidence(input, result);
  return { outcome, outputs, ...(error && { error }) };
}
