import { isJsonObject, type JsonObject } from '@weir/contracts';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { DestinationKind, Payload, RequestSchemas } from '../src/kind.js';
import { parsedJson, valueAt } from '../src/toolkit/index.js';

/** The traces in a text of a value that was not there, or was not a text. */
const BROKEN = /(?<![a-z])(?:undefined|NaN|Infinity)(?![a-z])|\[object \w+\]/;

/** Parts of a value that no JSON can hold, or that were made of nothing. */
export function brokenIn(value: unknown, path: string): string[] {
  if (typeof value === 'string') return BROKEN.test(value) ? [`${path} holds a broken text: ${value}`] : [];
  if (value === null || typeof value === 'boolean' || Number.isFinite(value)) return [];
  if (Array.isArray(value)) return value.flatMap((item, index) => brokenIn(item, `${path}[${index}]`));
  if (!isJsonObject(value)) return [`${path} is ${String(value)}`];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...brokenIn(key, `a key of ${path}`),
    ...brokenIn(inner, `${path}.${key}`),
  ]);
}

/** Why the vendor of a kind would not take these payloads, alone or in a batch. */
export function problemsOf(kind: DestinationKind, payloads: readonly Payload[], config: JsonObject): string[] {
  const rule = kind.batch?.(config);
  return payloads.flatMap((payload) => {
    const isBatched = rule?.keyOf(payload) !== undefined;
    const requests = isBatched ? [rule.combine([payload]), rule.combine([payload, payload])] : [payload];
    return [payload, ...requests].flatMap((request) => problemsIn(kind, request));
  });
}

function problemsIn(kind: DestinationKind, payload: Payload): string[] {
  const { endpoint, headers, body } = payload;
  const filled = Object.entries(body).filter(([, section]) => Object.keys(section).length > 0);
  return [
    ...brokenIn(payload, 'the payload'),
    ...(kind.open || URL.canParse(endpoint) ? [] : [`${endpoint} is no address`]),
    ...Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [] : [`${name} is no text`])),
    ...(filled.length > 1 ? [`the body has several sections: ${filled.map(([name]) => name)}`] : []),
    ...(kind.requests ? misfits(kind.requests, payload) : []),
  ];
}

/** Lists what the schema of the request does not allow. A request that no schema names is a problem too. */
function misfits(schemas: RequestSchemas, payload: Payload): string[] {
  const { method, endpoint } = payload;
  const path = URL.parse(endpoint)?.pathname ?? endpoint;
  const { schema, accepts } = compiled(schemas).find(({ names }) => names(method, path)) ?? {};
  if (!schema || !accepts) return [`no schema names ${method} ${path}`];
  const content = contentOf(payload, schemas[schema] ?? {});
  if (accepts(content)) return [];
  const problems = (accepts.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  return [`${schema}: ${problems.join(', ')} in ${JSON.stringify(content)}`];
}

/** A list of a form is one of JSON texts. A text of a form counts as what it holds where the schema has a list. */
function contentOf({ body, params }: Payload, schema: JsonObject): unknown {
  const { JSON: json, JSON_ARRAY: array, XML: xml, FORM: form } = body;
  if (typeof array['batch'] === 'string') return JSON.parse(array['batch']);
  const fields = Object.entries(form).map(([key, value]) => {
    if (Array.isArray(value)) return [key, value.map(parsed)];
    return [key, valueAt(schema, `properties.${key}.type`) === 'array' ? parsed(value) : value];
  });
  return [json, Object.fromEntries(fields), xml, params].find((section) => Object.keys(section).length > 0) ?? {};
}

const parsed = (text: unknown): unknown => parsedJson(String(text)) ?? text;

interface CompiledSchema {
  schema: string;
  names(method: string, path: string): boolean;
  accepts: ValidateFunction;
}

/** The path of a kind whose address is that of the customer. */
const ANYWHERE = '*';

const isAt = (wanted: readonly string[], segments: readonly string[]) =>
  wanted.length === segments.length && wanted.every((word, index) => word.startsWith('{') || word === segments[index]);

const known = new WeakMap<RequestSchemas, CompiledSchema[]>();

function compiled(schemas: RequestSchemas): CompiledSchema[] {
  const compiler = new Ajv2020({ allErrors: true, strict: true, strictRequired: false, allowUnionTypes: true });
  const found =
    known.get(schemas) ??
    Object.entries(schemas).map(([schema, rules]) => {
      const [method = '', path = ''] = schema.split(' ');
      const names = (used: string, at: string) =>
        [used, ANYWHERE].includes(method) && (path === ANYWHERE || isAt(path.split('/'), at.split('/')));
      return { schema, names, accepts: compiler.compile(rules) };
    });
  known.set(schemas, found);
  return found;
}
