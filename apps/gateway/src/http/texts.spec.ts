import { describe, expect, it } from '@jest/globals';
import * as contracts from '@weir/contracts';
import type { z } from 'zod';
import { PLANE_MODULES } from '../app.module.js';
import { parseJsonBody } from './json-body.js';
import { controllersOf, routesOf } from './routes.js';

/** Texts that break a database or a later consumer. */
const UNSTORABLE = ['\0', 'a\0b', '\ud800', 'a\udc00b'];

/** Texts that no service stores, or that come from Weir's own tables. */
const FREE = [
  /^sandbox\.code\./, // user code in the registry's form, and opened credentials
  /^runner\.fetch\.v1 /, // requests of user code to a server of its choice
  / credentials\.\*\./, // opened credentials on their way to user code
  /^runner\.destination\.test\.v1 destination\./, // a row of the inventory
];

/** The parts of zod's definitions that hold further schemas. */
interface Definition {
  type: string;
  shape?: Record<string, z.core.$ZodType>;
  options?: z.core.$ZodType[];
  element?: z.core.$ZodType;
  keyType?: z.core.$ZodType;
  valueType?: z.core.$ZodType;
  catchall?: z.core.$ZodType;
  innerType?: z.core.$ZodType;
  in?: z.core.$ZodType;
  out?: z.core.$ZodType;
}

const definitionOf = (schema: z.core.$ZodType) => schema._zod.def as unknown as Definition;

function isText(schema: z.core.$ZodType): boolean {
  const { type, innerType } = definitionOf(schema);
  return type === 'string' || (innerType !== undefined && isText(innerType));
}

/** All texts of a schema, by path. A transformed text counts as its result. */
function textsIn(schema: z.core.$ZodType, path = ''): [path: string, text: z.core.$ZodType][] {
  const { type, shape = {}, options = [], ...def } = definitionOf(schema);
  const below = (inner: z.core.$ZodType | undefined, name = '') =>
    inner ? textsIn(inner, [path, name].filter(Boolean).join('.')) : [];
  if (type === 'string' || (def.in && isText(def.in))) return [[path, schema]];
  return [
    ...Object.entries(shape).flatMap(([name, inner]) => below(inner, name)),
    ...[def.element, def.keyType, def.valueType, def.catchall].flatMap((inner) => below(inner, '*')),
    ...[def.innerType, def.in, def.out, ...options].flatMap((inner) => below(inner)),
  ];
}

const isCall = (value: unknown): value is contracts.Call =>
  typeof value === 'object' && value !== null && 'subject' in value && 'deadlineMs' in value;

/** The intake's routes are documentation only: it parses requests by hand and looks values up in memory. */
const routes = routesOf(controllersOf(...Object.values(PLANE_MODULES).flat()));

const texts = [
  ...(Object.values(contracts) as unknown[]).filter(isCall).map(({ subject, request }) => ({ of: subject, request })),
  ...routes.flatMap(({ method, path, api }) =>
    [api?.params, api?.query].flatMap((request) => (request ? { of: `${method} ${path}`, request } : [])),
  ),
].flatMap(({ of, request }) => textsIn(request).map(([path, text]) => ({ name: `${of} ${path}`, text })));

const isFree = (name: string) => FREE.some((free) => free.test(name));

describe('a text from outside', () => {
  it.each(texts.filter(({ name }) => !isFree(name)))('$name is refused, or made one that can be stored', ({ text }) => {
    const taken = UNSTORABLE.filter((one) => {
      const { success, data } = (text as z.ZodType).safeParse(one);
      return success && typeof data === 'string' && !contracts.isStorableText(data);
    });
    expect(taken).toEqual([]);
  });

  it('is looked for everywhere', () => {
    const names = texts.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['schema.model.list.v1 writeKey', 'GET /schemas/drift WriteKey']));
    for (const free of FREE) expect(names.filter((name) => free.test(name))).not.toEqual([]);
  });

  it.each(UNSTORABLE)('of a body is refused as a value and as a key: %j', (text) => {
    for (const body of [{ a: [text] }, { [text]: 1 }]) {
      expect(() => parseJsonBody(Buffer.from(JSON.stringify(body)))).toThrow(/NUL character|surrogate pair/);
    }
  });
});
