import { hash } from 'node:crypto';
import type { Leaves } from './flatten.js';
import { MODEL_SCHEMA_BYTES_MAX } from './limits.js';
import { type Path, TYPE_BITS } from './path-trie.js';

/** Whether the text has more than `max` characters (code points). */
export function isLongerThan(text: string, max: number): boolean {
  if (text.length <= max) return false;
  return text.length > 2 * max || [...text].length > max;
}

/** Compares code units, so that the order is the same on every machine and in every locale. */
export const compareText = (left: string, right: string) => (left < right ? -1 : Number(left > right));

/** Dotted paths, each once, with their type names. Several types of one path are comma-joined. */
export type Schema = Iterable<readonly [path: string, types: string]>;

/** A set of (path, types). Events of one model with the same shape belong to one version. */
export interface Shape {
  /** SHA-256 (hex) of the canonical form, which is the stored identity. */
  hash: string;
  /** Sorted by path. A map of a new shape would cost more than the hash, and nothing looks up its paths. */
  schema: readonly (readonly [path: string, types: string])[];
}

/** Names of all type sets, in the order `bool`, `float64`, `string`, comma-joined. */
const TYPE_NAMES = Array.from({ length: 8 }, (_, types) =>
  Object.entries(TYPE_BITS)
    .filter(([, bit]) => (types & bit) !== 0)
    .map(([name]) => name)
    .sort(compareText)
    .join(),
);

export const typeNames = (types: number): string => TYPE_NAMES[types] ?? '';

/** Orders by text. Siblings share a prefix, which customers may make long, so only their segments are compared. */
const comparePaths = (left: Path, right: Path): number =>
  left.parent === right.parent ? compareText(left.segment, right.segment) : compareText(left.text, right.text);

/** The canonical form is JSON of sorted pairs, so that no separator inside a key can merge two shapes (schema-facts 1.3). */
export function shapeOf({ length, paths, types }: Leaves): Shape {
  const sorted = paths.slice(0, length).sort(comparePaths);
  const schema = sorted.map(({ text, leaf }) => [text, typeNames(types[leaf] as number)] as const);
  return { hash: hash('sha256', JSON.stringify(schema)), schema };
}

/** Bytes of `"path": "types", ` as PostgreSQL prints it, with a space after colon and comma. */
const entryBytes = (path: string, types: string) => Buffer.byteLength(JSON.stringify(path)) + types.length + 6;

/** A change that a version makes to its model's schema. */
export interface SchemaChange {
  path: string;
  /** Undefined if the path is new. */
  before: string | undefined;
  after: string;
}

export interface SchemaUnion {
  schema: Map<string, string>;
  /** One list per version, in the order given. */
  changes: SchemaChange[][];
}

/**
 * The schema of a model extended by these versions. Types of one path are comma-joined in order of arrival (schema-facts 1.4).
 * Paths that do not fit `bytesMax` are left out.
 */
export function unionSchemas(
  model: Schema,
  versions: readonly Schema[],
  bytesMax = MODEL_SCHEMA_BYTES_MAX,
): SchemaUnion {
  const schema = new Map(model);
  const changes: SchemaChange[][] = versions.map(() => []);
  let bytes = 0;
  for (const [path, types] of schema) bytes += entryBytes(path, types);
  for (const [at, version] of versions.entries()) {
    for (const [path, types] of version) {
      const before = schema.get(path);
      const after = before === undefined ? types : joinTypes(before, types);
      if (after === before) continue;
      bytes += before === undefined ? entryBytes(path, after) : after.length - before.length;
      if (bytes > bytesMax) return { schema, changes };
      schema.set(path, after);
      changes[at]?.push({ path, before, after });
    }
  }
  return { schema, changes };
}

function joinTypes(known: string, added: string): string {
  const types = new Set(known.split(','));
  for (const type of added.split(',')) types.add(type);
  return [...types].join();
}

/** How many events had a path, and when. A model keeps these facts when its versions are removed. */
export interface KeyFacts {
  events: number;
  /** Number of events by type. */
  types: Record<string, number>;
  /** RFC 3339 in UTC with microseconds, so it sorts as text. */
  firstSeen: string;
  lastSeen: string;
}

export interface CountedVersion {
  schema: Schema | Record<string, string>;
  count: number;
  firstSeen: string;
  lastSeen: string;
}

/** Adds a version's counts for the paths that its model's schema describes. */
export function addFacts(
  facts: Map<string, KeyFacts>,
  { schema, count, firstSeen, lastSeen }: CountedVersion,
  isDescribed: (path: string) => boolean,
): void {
  const entries = Symbol.iterator in schema ? (schema as Schema) : Object.entries(schema);
  for (const [path, types] of entries) {
    if (!isDescribed(path)) continue;
    const known = facts.get(path) ?? { events: 0, types: {}, firstSeen, lastSeen };
    known.events += count;
    if (firstSeen < known.firstSeen) known.firstSeen = firstSeen;
    if (lastSeen > known.lastSeen) known.lastSeen = lastSeen;
    for (const type of types.split(',')) known.types[type] = (known.types[type] ?? 0) + count;
    facts.set(path, known);
  }
}

/** Adds facts of further versions. */
export function mergeFacts(facts: Map<string, KeyFacts>, added: Readonly<Record<string, KeyFacts>>): void {
  for (const [path, more] of Object.entries(added)) {
    const known = facts.get(path);
    if (!known) {
      facts.set(path, more);
      continue;
    }
    known.events += more.events;
    if (more.firstSeen < known.firstSeen) known.firstSeen = more.firstSeen;
    if (more.lastSeen > known.lastSeen) known.lastSeen = more.lastSeen;
    for (const [type, count] of Object.entries(more.types)) known.types[type] = (known.types[type] ?? 0) + count;
  }
}
