import { createHash } from 'node:crypto';
import type { Leaves } from './flatten.js';
import { type Path, TYPE_BITS } from './path-trie.js';
import { compareText } from './text.js';

/** Dotted path to type name; several types of one path are comma-joined. */
export type Schema = ReadonlyMap<string, string>;

/** What makes events of one model events of one version: their set of (path, types). */
export interface Shape {
  /** SHA-256 (hex) of the canonical form: the identity that is stored. */
  hash: string;
  schema: Schema;
}

/** `bool`, `float64`, `string` in that order, comma-joined. */
export function typeNames(types: number): string {
  return Object.entries(TYPE_BITS)
    .filter(([, bit]) => (types & bit) !== 0)
    .map(([name]) => name)
    .sort(compareText)
    .join();
}

/** The canonical form is JSON of sorted pairs: no separator inside a key can make two shapes one (schema-facts 1.3). */
export function shapeOf({ length, paths, types }: Leaves): Shape {
  const pairs = Array.from({ length }, (_, at): [string, string] => [
    (paths[at] as Path).text,
    typeNames(types[at] as number),
  ]).sort(([left], [right]) => compareText(left, right));
  return { hash: createHash('sha256').update(JSON.stringify(pairs)).digest('hex'), schema: new Map(pairs) };
}
