import { isJsonObject, type JsonObject, type ObservedSchema } from '@weir/contracts';

/** The subset of JSON Schema that the schema service produces. */
interface Schema {
  type?: string | string[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: false;
}

const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/** Writes TypeScript declarations of observed schemas. Each writer gives unique names. */
export class TypeWriter {
  private readonly names = new Set<string>();

  declare({ schemaType, schemaIdentifier, schema }: ObservedSchema): string {
    const name = this.nameOf(schemaType, schemaIdentifier);
    const what = JSON.stringify([schemaType, schemaIdentifier].filter(Boolean).join(' ')).replaceAll('*/', '*\\/');
    return `/** ${what} */\nexport type ${name} = ${typeOf(schema as Schema, '')};\n`;
  }

  private nameOf(schemaType: string, schemaIdentifier: string): string {
    const words = `${schemaType} ${schemaIdentifier}`.match(/[\p{ID_Continue}]+/gu) ?? [];
    const pascal = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
    const base = IDENTIFIER.test(pascal) ? pascal : `Event${pascal}`;
    let name = base;
    for (let count = 2; this.names.has(name); count += 1) name = `${base}_${count}`;
    this.names.add(name);
    return name;
  }
}

function typeOf(schema: Schema, indent: string): string {
  if (schema.anyOf) return schema.anyOf.map((one) => typeOf(one, indent)).join(' | ');
  if (Array.isArray(schema.type)) return schema.type.join(' | ');
  if (schema.type === 'array') return `(${typeOf(schema.items ?? {}, indent)})[]`;
  if (schema.type === 'object') return objectOf(schema, indent);
  return schema.type ?? 'unknown';
}

function objectOf({ properties = {}, required = [], additionalProperties }: Schema, indent: string): string {
  const keys = Object.keys(properties);
  if (keys.length === 0) return `Record<string, ${additionalProperties === false ? 'never' : 'unknown'}>`;
  const always = new Set(required);
  const inner = `${indent}  `;
  const lines = keys.map((key) => {
    const type = typeOf(ownOf(properties, key), inner);
    return `${inner}${IDENTIFIER.test(key) ? key : JSON.stringify(key)}${always.has(key) ? '' : '?'}: ${type};\n`;
  });
  return `{\n${lines.join('')}${indent}}`;
}

/** Reads own properties only, so a key named `__proto__` works too. */
function ownOf(properties: JsonObject | Record<string, Schema>, key: string): Schema {
  const value: unknown = Object.getOwnPropertyDescriptor(properties, key)?.value;
  return isJsonObject(value) ? value : {};
}
