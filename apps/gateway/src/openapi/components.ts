import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;

/** Collects the named JSON Schemas of one document. Other schemas stay inline. */
export class Components {
  readonly schemas: Record<string, JsonSchema> = {};

  /** `input`: the form that callers send. `output`: the form that they receive. */
  of(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const converted = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: simplify });
    // A plain copy, without zod's marker.
    const { $schema: _, $defs = {}, ...root } = JSON.parse(JSON.stringify(converted)) as JsonSchema;
    const named = Object.entries($defs as Record<string, JsonSchema>);
    const names = new Map(named.map(([name, definition]) => [name, this.nameFor(name, definition)]));
    for (const [name, definition] of named) this.schemas[names.get(name) ?? name] = pointing(definition, names);
    return pointing(root, names);
  }

  /** Input and output schemas of the same name may differ, for example by defaults. */
  private nameFor(name: string, definition: JsonSchema): string {
    const known = this.schemas[name];
    const same = new Map([[name, name]]);
    return !known || isDeepStrictEqual(known, pointing(definition, same)) ? name : `${name}Input`;
  }
}

/** Removes keywords that tell a reader nothing. */
function simplify({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  if (jsonSchema['additionalProperties'] === false) delete jsonSchema['additionalProperties'];
  if (jsonSchema['format'] !== undefined) delete jsonSchema['pattern'];
  if (jsonSchema['minimum'] === Number.MIN_SAFE_INTEGER) delete jsonSchema['minimum'];
  if (jsonSchema['maximum'] === Number.MAX_SAFE_INTEGER) delete jsonSchema['maximum'];
}

/** The schema with its references pointing to the document's components. */
function pointing(schema: JsonSchema, names: ReadonlyMap<string, string>): JsonSchema {
  const text = JSON.stringify(schema, (key, value: unknown) => {
    if (key !== '$ref' || typeof value !== 'string') return value;
    const name = value.replace('#/$defs/', '');
    return `#/components/schemas/${names.get(name) ?? name}`;
  });
  return JSON.parse(text) as JsonSchema;
}
