import { MODEL_SCHEMA_BYTES_MAX } from './limits.js';
import type { Schema } from './shape.js';

/** JSON of `"path":"types",` as PostgreSQL prints it, with a blank after colon and comma. */
const entryBytes = (path: string, types: string) => Buffer.byteLength(JSON.stringify(path)) + types.length + 6;

/**
 * The schema of a model once it has these versions too: types of one path are comma-joined in the order in which they came
 * (schema-facts 1.4). Undefined when nothing changes. Paths that do not fit MODEL_SCHEMA_BYTES_MAX stay out.
 */
export function unionSchemas(model: Schema, versions: readonly Schema[]): Schema | undefined {
  const union = new Map(model);
  let bytes = 0;
  for (const [path, types] of union) bytes += entryBytes(path, types);
  let changed = false;
  for (const version of versions) {
    for (const [path, types] of version) {
      const before = union.get(path);
      const after = before === undefined ? types : joinTypes(before, types);
      if (after === before) continue;
      bytes += before === undefined ? entryBytes(path, after) : after.length - before.length;
      if (bytes > MODEL_SCHEMA_BYTES_MAX) return changed ? union : undefined;
      union.set(path, after);
      changed = true;
    }
  }
  return changed ? union : undefined;
}

function joinTypes(known: string, added: string): string {
  const types = new Set(known.split(','));
  for (const type of added.split(',')) types.add(type);
  return [...types].join();
}
