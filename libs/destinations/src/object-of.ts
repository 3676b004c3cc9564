/**
 * What `Object.fromEntries` makes, at a quarter of its time where there are hundreds of keys that nobody has had before: that one
 * makes a shape for each of them. `__proto__` is a key like any other.
 */
export function objectOf<T>(entries: Iterable<readonly [string, T]>): Record<string, T> {
  const object: Record<string, T> = {};
  for (const [key, value] of entries) put(object, key, value);
  return object;
}

/**
 * What `{ ...one, ...other }` makes, later values winning. That makes a shape for each new key, too, which takes 4 us: write it so
 * where one of them may have as many keys as an event likes.
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
