import { AppError, type JsonObject } from '@weir/contracts';
import type { Conversion } from './convert.js';
import { objectOf } from './objects.js';
import { firstAt, isGiven, setAt } from './paths.js';

/** Source of a value: one path, or several. The first one with a value wins. */
export type Source = string | readonly string[];

export interface Rule {
  from: Source;
  /** Applied in this order. */
  as?: Conversion | readonly Conversion[];
  /** Used when no source has a value. */
  default?: unknown;
  /** Refuses the event if there is no value. */
  required?: boolean;
}

/** Maps each key of the vendor, or dotted path of keys, to its source. */
export type Mapping = Readonly<Record<string, Source | Rule>>;

/**
 * Builds an object with the vendor's keys. Omits a key whose source is absent, null or an empty text, or whose conversion gives
 * nothing. If the key is required, throws `AppError('invalid')` with the paths that could supply it.
 */
export function mapFields(root: JsonObject, mapping: Mapping): JsonObject {
  const target: JsonObject = {};
  for (const [key, source] of Object.entries(mapping)) {
    const value = mapped(root, key, isRule(source) ? source : { from: source });
    if (isGiven(value)) setAt(target, key, value);
  }
  return target;
}

const isRule = (source: Source | Rule): source is Rule => typeof source === 'object' && 'from' in source;

function mapped(root: JsonObject, key: string, { from, as = [], default: byDefault, required }: Rule): unknown {
  const found = firstAt(root, from);
  const conversions = typeof as === 'function' ? [as] : as;
  const value = isGiven(found) ? conversions.reduce((soFar: unknown, convert) => convert(soFar), found) : undefined;
  if (isGiven(value)) return value;
  if (byDefault !== undefined) return byDefault;
  if (required) throw new AppError('invalid', `${key} is required: it is read from ${[from].flat().join(', ')}`);
  return undefined;
}

/** The entries of an object that no table reads, such as custom properties. `sources` are top-level keys. */
export function restOf(object: JsonObject, sources: Iterable<string>): JsonObject {
  const known = new Set(sources);
  return objectOf(Object.entries(object).filter(([key]) => !known.has(key)));
}

/** Top-level keys that a table reads, or those below a key: `keysRead(table, 'properties')`. */
export function keysRead(mapping: Mapping, below?: string): string[] {
  const paths = Object.values(mapping).flatMap((source) => (isRule(source) ? source.from : source));
  if (below === undefined) return paths.map((path) => path.split('.')[0] ?? path);
  return paths.filter((path) => path.startsWith(`${below}.`)).map((path) => path.slice(below.length + 1));
}
