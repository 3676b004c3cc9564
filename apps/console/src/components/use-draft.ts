import { useRef } from 'react';
import { type Begun, isSame, type Seen, type Stored, seen } from '../lib/draft.js';
import { useKept } from '../lib/kept.js';

export interface Draft<Value> extends Seen<Value> {
  change: (value: Value) => void;
  /** After a save: what was sent is no longer a draft. What was typed since then still is. */
  saved: (sent: Value) => void;
  /** Two ways on once somebody else has stored something: drop what was typed, or let it replace that. */
  takeTheirs: () => void;
  keepMine: () => void;
}

/**
 * The input of a form for something that is stored, kept as by {@link useKept} with the entity tag of what it began from. Send `etag` with
 * the save, and show {@link ChangedElsewhere}.
 */
export function useDraft<Value>(
  name: string,
  stored: Stored<Value>,
  withoutSecrets: (value: Value) => Value = (value) => value,
): Draft<Value> {
  const [begun, keep, forget] = useKept<Begun<Value> | null>(
    name,
    null,
    (one) => one && { ...one, value: withoutSecrets(one.value) },
  );
  // a save reads what was typed while it was on its way
  const latest = useRef(begun);
  const set = (next: Begun<Value> | null) => {
    latest.current = next;
    keep(next);
    if (next === null) forget();
  };
  latest.current = begun;
  const now = seen(stored, begun);
  // while nobody else has stored anything, the base and the stored value are the same
  const base = now.theirs === undefined ? stored.value : (begun?.base ?? stored.value);
  return {
    ...now,
    change: (value) => set({ value, base, etag: now.etag }),
    saved: (sent) => {
      const { current } = latest;
      set(current && !isSame(current.value, sent) ? { ...current, base: withoutSecrets(sent) } : null);
    },
    takeTheirs: () => set(null),
    keepMine: () => set({ ...stored, base: stored.value, value: now.value }),
  };
}
