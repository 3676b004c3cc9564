import type { EventEvidence, EventResult, JsonObject } from '@weir/contracts';
import { changedKeys } from './changed-keys.js';

/** The outcome of each event, in order. */
export function evidenceOf(events: readonly JsonObject[], results: readonly EventResult[]): EventEvidence[] {
  return results.flatMap((result, index) => {
    const input = events[index];
    return input ? [eventEvidence(input, result)] : [];
  });
}

export function eventEvidence(input: JsonObject, result: EventResult): EventEvidence {
  const { milliseconds } = result;
  const time = milliseconds !== undefined && { milliseconds };
  const nothing = { input, outputs: [], keysAdded: [], keysRemoved: [], ...time };
  if (result.status === 'error') return { ...nothing, outcome: 'failed', error: result.error };
  if (result.status === 'dropped' || result.outputs.length === 0) return { ...nothing, outcome: 'dropped' };
  const { outputs } = result;
  const { keysAdded, keysRemoved } = changedKeys([input], outputs);
  return { input, outcome: outputs.length > 1 ? 'fanned_out' : 'kept', outputs, keysAdded, keysRemoved, ...time };
}
