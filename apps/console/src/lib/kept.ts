import { useState } from 'react';

const PREFIX = 'weir.typed.';

/**
 * The input of a form. It survives a reload and a look at another page, for as long as the tab is open. `withoutSecrets` leaves out
 * what may not lie in the browser.
 */
export function useKept<Value>(
  name: string,
  initial: Value,
  withoutSecrets: (value: Value) => Value = (value) => value,
): [Value, (value: Value) => void, () => void] {
  const key = PREFIX + name;
  const begin = () => ({ key, value: read<Value>(key) ?? initial });
  const [held, setHeld] = useState(begin);
  // a form that turns to another thing without a new mount may not take along what was typed of the first
  const current = held.key === key ? held : begin();
  if (current !== held) setHeld(current);
  const keep = (next: Value) => {
    setHeld({ key, value: next });
    try {
      sessionStorage.setItem(key, JSON.stringify(withoutSecrets(next)));
    } catch {
      // The browser's few megabytes are full: the text stays on the page, and no older one comes back in its place.
      sessionStorage.removeItem(key);
    }
  };
  return [current.value, keep, () => sessionStorage.removeItem(key)];
}

const OWNER = 'weir.owner';

/** Forgets what was typed by somebody else, or in another workspace. A tab may outlive a session that ended by itself. */
export function keepFor(owner: string): void {
  if (sessionStorage.getItem(OWNER) === owner) return;
  forgetAll();
  sessionStorage.setItem(OWNER, owner);
}

/** For who signs out: the next person at this browser may not read it. */
export function forgetAll(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
}

function read<Value>(key: string): Value | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}
