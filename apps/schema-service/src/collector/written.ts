import { Slices } from '@weir/messaging';

/** Characters of JSON per statement. The driver escapes every quote of an array parameter in one go. */
const CHARS_AT_ONCE = 131_072;

/** Entries of an object. */
export type Entries = Iterable<readonly [string, unknown]>;

/** Serialises without building an object, because V8 takes ten times as long for objects with keys that it has not seen. */
const jsonOf = (entries: Entries) =>
  `{${Array.from(entries, ([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join()}}`;

/** A row with its entries as JSON. */
export type Written<T> = T & { json: string };

/** Yields as many rows as fit one statement. Works in slices, because each row may have a thousand paths. */
export async function* written<T extends { entries: Entries }>(rows: readonly T[]): AsyncGenerator<Written<T>[]> {
  const slices = new Slices();
  let some: Written<T>[] = [];
  let chars = 0;
  for (const row of rows) {
    if (slices.isOver) await slices.next();
    const json = jsonOf(row.entries);
    some.push({ ...row, json });
    chars += json.length;
    if (chars < CHARS_AT_ONCE) continue;
    yield some;
    [some, chars] = [[], 0];
  }
  if (some.length > 0) yield some;
}
