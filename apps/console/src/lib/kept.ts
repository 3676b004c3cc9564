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
  const [value, setValue] = useState<Value>(() => read(key) ?? initial);
  const keep = (next: Value) => {
    setValue(next);
    try {
      sessionStorage.setItem(key, JSON.stringify(withoutSecrets(next)));
    } catch {
      // The browser's few megabytes are full: the text stays on the page, and no older one comes back in its place.
      sessionStorage.removeItem(key);
    }
  };
  return [value, keep, () => sessionStorage.removeItem(key)];
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
