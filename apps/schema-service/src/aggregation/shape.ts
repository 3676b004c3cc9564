import { createHash } from 'node:crypto';
import type { Leaves } from './flatten.js';
import { type Path, TYPE_BITS } from './path-trie.js';
import { compareText } from './text.js';

/** Maps a dotted path to its type name. Several types of one path are comma-joined. */
export type Schema = ReadonlyMap<string, string>;

/** A set of (path, types). Events of one model with the same shape belong to one version. */
export interface Shape {
  /** SHA-256 (hex) of the canonical form, which is the stored identity. */
  hash: string;
  schema: Schema;
}

/** Type names in the order `bool`, `float64`, `string`, comma-joined. */
export function typeNames(types: number): string {
  return Object.entries(TYPE_BITS)
    .filter(([, bit]) => (types & bit) !== 0)
    .map(([name]) => name)
    .sort(compareText)
    .join();
}

/** The canonical form is JSON of sorted pairs, so that no separator inside a key can merge two shapes (schema-facts 1.3). */
export function shapeOf({ length, paths, types }: Leaves): Shape {
  const pairs = Array.from({ length }, (_, at): [string, string] => [
    (paths[at] as Path).text,
    typeNames(types[at] as number),
  ]).sort(([left], [right]) => compareText(left, right));
  return { hash: createHash('sha256').update(JSON.stringify(pairs)).digest('hex'), schema: new Map(pairs) };
}
