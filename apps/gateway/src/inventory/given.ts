type Given<T extends object> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Drops undefined values, so that a spread over stored values erases none. */
export function given<T extends object>(values: T): Given<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<T>;
}
