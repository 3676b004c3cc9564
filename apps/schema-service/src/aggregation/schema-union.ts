import { MODEL_SCHEMA_BYTES_MAX } from './limits.js';
import type { Schema } from './shape.js';

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
 * Paths that do not fit MODEL_SCHEMA_BYTES_MAX are left out.
 */
export function unionSchemas(model: Schema, versions: readonly Schema[]): SchemaUnion {
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
      if (bytes > MODEL_SCHEMA_BYTES_MAX) return { schema, changes };
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
