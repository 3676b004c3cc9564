import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;

/** JSON Schemas of one document: named schemas are collected here, everything else stays where it is used. */
export class Components {
  readonly schemas: Record<string, JsonSchema> = {};

  /** `input`: what a caller may send; `output`: what it gets. */
  of(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const converted = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: simplify });
    // Out of zod's own object, and without its marker.
    const { $schema: _, $defs = {}, ...root } = JSON.parse(JSON.stringify(converted)) as JsonSchema;
    const named = Object.entries($defs as Record<string, JsonSchema>);
    const names = new Map(named.map(([name, definition]) => [name, this.nameFor(name, definition)]));
    for (const [name, definition] of named) this.schemas[names.get(name) ?? name] = pointing(definition, names);
    return pointing(root, names);
  }

  /** What is sent may differ from what is answered under the same name, by defaults for instance. */
  private nameFor(name: string, definition: JsonSchema): string {
    const known = this.schemas[name];
    const same = new Map([[name, name]]);
    return !known || isDeepStrictEqual(known, pointing(definition, same)) ? name : `${name}Input`;
  }
}

/** Leaves out what says nothing to a reader. */
function simplify({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  if (jsonSchema['additionalProperties'] === false) delete jsonSchema['additionalProperties'];
  if (jsonSchema['format'] !== undefined) delete jsonSchema['pattern'];
  if (jsonSchema['minimum'] === Number.MIN_SAFE_INTEGER) delete jsonSchema['minimum'];
  if (jsonSchema['maximum'] === Number.MAX_SAFE_INTEGER) delete jsonSchema['maximum'];
}

/** The schema with its references going to the document's components. */
function pointing(schema: JsonSchema, names: ReadonlyMap<string, string>): JsonSchema {
  const text = JSON.stringify(schema, (key, value: unknown) => {
    if (key !== '$ref' || typeof value !== 'string') return value;
    const name = value.replace('#/$defs/', '');
    return `#/components/schemas/${names.get(name) ?? name}`;
  });
  return JSON.parse(text) as JsonSchema;
}
