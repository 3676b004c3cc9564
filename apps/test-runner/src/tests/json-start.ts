import { isJsonObject } from '@weir/contracts';

/**
 * Returns the JSON of a value, or its beginning if that exceeds `length` characters. The cost depends on the shown part, not on
 * the value. Undefined becomes `nothing`.
 */
export function jsonStart(value: unknown, length: number): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return JSON.stringify(value.slice(0, length + 1));
  if (Array.isArray(value)) return joined('[', value.values(), ']', length, (item, left) => jsonStart(item, left));
  if (!isJsonObject(value)) return JSON.stringify(value);
  return joined('{', keysOf(value), '}', length, (key, left) => {
    const start = `${jsonStart(key, left)}:`;
    return start.length > left ? start : start + jsonStart(value[key], left - start.length);
  });
}

function joined<T>(
  open: string,
  items: Iterable<T>,
  close: string,
  length: number,
  write: (item: T, left: number) => string,
): string {
  let text = open;
  for (const item of items) {
    text += `${text.length > 1 ? ',' : ''}${write(item, length - text.length)}`;
    if (text.length > length) return text;
  }
  return text + close;
}

function* keysOf(value: Record<string, unknown>): Generator<string> {
  for (const key in value) if (value[key] !== undefined) yield key;
}
