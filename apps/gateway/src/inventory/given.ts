type Given<T extends object> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The keys that have a value: spreads over stored values without erasing any. */
export function given<T extends object>(values: T): Given<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<T>;
}
