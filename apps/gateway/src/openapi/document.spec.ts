import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { openApiDocument, typed } from './document.js';
import { allRoutes } from './index.js';
import { NAMED_HANDLERS } from './operation-ids.js';
import type { JsonSchema } from './schemas.js';

const routes = allRoutes();
// The document in its serialized form.
const document = JSON.parse(JSON.stringify(openApiDocument(routes))) as {
  openapi: string;
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, JsonSchema>;
    responses: Record<string, Response>;
    securitySchemes: Record<string, unknown>;
  };
};

interface Operation {
  operationId: string;
  tags: string[];
  security: Record<string, unknown>[];
  parameters?: { name: string; in: string; required: boolean; description?: string; schema: JsonSchema }[];
  requestBody?: { required: boolean; content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, Response | { $ref: string }>;
}

interface Content {
  schema: JsonSchema;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

interface Response {
  description: string;
  content?: Record<string, Content>;
}

const SCHEMAS = '#/components/schemas/';
const RESPONSES = '#/components/responses/';

const responseOf = (response: Response | { $ref: string } | undefined): Response => {
  if (!response) return { description: '' };
  if (!('$ref' in response)) return response;
  return document.components.responses[response.$ref.slice(RESPONSES.length)] ?? { description: '' };
};

/** The `code` of a refusal and its status (ruling 26). Area D answers failed authentication with 400, in another form. */
const STATUS_BY_CODE: Record<string, number> = {
  ...{ BAD_REQUEST: 400, DISABLED: 400, UNSUPPORTED: 400, TESTS_FAILED: 400, UNAUTHORIZED: 401, FORBIDDEN: 403 },
  ...{ NOT_FOUND: 404, REQUEST_TIMEOUT: 408, CONFLICT: 409, PRECONDITION_FAILED: 412, PAYLOAD_TOO_LARGE: 413 },
  ...{ UNSUPPORTED_MEDIA_TYPE: 415, TOO_MANY_REQUESTS: 429, INTERNAL_ERROR: 500, SERVICE_UNAVAILABLE: 503 },
  GATEWAY_TIMEOUT: 504,
};

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

function refsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => (key === '$ref' ? [String(item)] : refsIn(item)));
}

const schemasOf = ({ parameters = [], requestBody, responses }: Operation) => [
  ...parameters.map(({ schema }) => schema),
  ...Object.values(requestBody?.content ?? {}).map(({ schema }) => schema),
  ...Object.values(responses).flatMap((response) =>
    Object.values(responseOf(response).content ?? {}).map(({ schema }) => schema),
  ),
];

/** An operation begins with what it does. */
const VERB =
  /^(add|cancel|compare|connect|count|create|delete|disconnect|find|get|list|pause|publish|put|replace|replay|resume|revoke|rollBack|run|send|set|start|test|update|watch)/;
/** Editors and generators take a document of this size without a pause. */
const BYTES_MAX = 400_000;

describe('the OpenAPI document', () => {
  it('is of version 3.1 and has every route', () => {
    expect(document.openapi).toBe('3.1.0');
    const documented = operations.map(({ path, method }) => `${method.toUpperCase()} ${path}`);
    const served = routes.map(({ path, method }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
    expect(documented.sort()).toEqual([...new Set(served)].sort());
    expect(documented).toEqual(expect.arrayContaining(['POST /v1/batch', 'POST /v0/testSource/{id}']));
  });

  it('has no reference that leads nowhere, and no schema that nobody uses', () => {
    const refs = new Set(refsIn(document));
    const names = [
      ...Object.keys(document.components.schemas).map((name) => SCHEMAS + name),
      ...Object.keys(document.components.responses).map((name) => RESPONSES + name),
    ];
    expect([...refs].sort()).toEqual(names.sort());
  });

  it('names operations by what they do, each once', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(VERB);
    const handlers = new Set(routes.map(({ handler }) => handler));
    expect(NAMED_HANDLERS.filter((handler) => !handlers.has(handler))).toEqual([]);
  });

  it('names the schema of every resource', () => {
    const resources = ['Source', 'Destination', 'Connection', 'Transformation', 'Library', 'Regulation', 'Delivery'];
    expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(resources));
    const created = responseOf(document.paths['/v2/sources']?.['post']?.responses['200']);
    expect(created.content?.['application/json']?.schema).toMatchObject({
      properties: { source: { $ref: `${SCHEMAS}Source` } },
    });
  });

  it('stays small enough to load at once', () => {
    expect(JSON.stringify(document).length).toBeLessThan(BYTES_MAX);
  });

  it('has JSON Schemas everywhere, and examples that they take', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const { components } = document;
    const all = operations.flatMap(({ operation }) => schemasOf(operation));
    expect(() => ajv.compile({ components, anyOf: all })).not.toThrow();
    for (const [name, { examples = [] }] of Object.entries(components.schemas)) {
      const validate = ajv.compile({ components, $ref: `#/components/schemas/${name}` });
      for (const example of examples as unknown[]) {
        expect({ name, valid: validate(example), errors: validate.errors }).toEqual({
          name,
          valid: true,
          errors: null,
        });
      }
    }
  });

  it.each(operations)('$method $path is complete', ({ path, operation }) => {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const declared = (operation.parameters ?? []).filter(({ in: place }) => place === 'path').map(({ name }) => name);
    expect(declared.sort()).toEqual(inPath.sort());
    for (const scheme of operation.security.flatMap((one) => Object.keys(one))) {
      expect(document.components.securitySchemes).toHaveProperty(scheme);
    }
    expect(Object.keys(operation.responses).some((status) => status.startsWith('2'))).toBe(true);
    for (const { name, description } of operation.parameters ?? []) {
      expect({ name, description }).toEqual({ name, description: expect.stringMatching(/\w/) });
    }
  });

  it.each(operations.filter(({ operation }) => operation.requestBody))(
    '$method $path has an example of its body',
    ({ operation }) => {
      const { schema } = operation.requestBody?.content['application/json'] ?? {};
      const name = String(schema?.['$ref']).slice(SCHEMAS.length);
      expect(document.components.schemas[name]?.['examples']).toEqual([expect.anything()]);
    },
  );

  it.each(operations)('$method $path has an example of each refusal, with its status', ({ operation }) => {
    for (const [status, response] of Object.entries(operation.responses)) {
      if (Number(status) < 400) continue;
      for (const { example, examples } of Object.values(responseOf(response).content ?? {})) {
        const shown = examples ? Object.values(examples).map(({ value }) => value) : [example];
        for (const body of shown) {
          expect(body).toBeTruthy();
          const { code } = body as { code?: string };
          if (code !== undefined) expect([status, STATUS_BY_CODE[code]]).toEqual([status, Number(status)]);
        }
      }
    }
  });

  it('has parameters of real types', () => {
    const schemaOf = (path: string, method: string, name: string) =>
      document.paths[path]?.[method]?.parameters?.find((one) => one.name === name)?.schema;
    expect(schemaOf('/v2/destinations', 'get', 'page')).toEqual({
      ...{ type: 'integer', minimum: 1, maximum: 1_000_000 },
      default: 1,
    });
    expect(schemaOf('/v2/destinations', 'get', 'hasExternalId')).toEqual({ type: 'boolean' });
    expect(schemaOf('/transformations', 'post', 'publish')).toEqual({ type: 'boolean' });
  });

  it('lists the refusals of each area', () => {
    const at = (path: string, method: string) => document.paths[path]?.[method]?.responses ?? {};
    expect(Object.keys(at('/v2/regulations', 'post'))).toEqual(
      expect.arrayContaining(['201', '400', '401', '403', '408', '413', '415', '503']),
    );
    expect(JSON.stringify(at('/schemas/event-models', 'get')['400'])).toContain('Basic auth credentials missing');
    expect(Object.keys(responseOf(at('/v1/track', 'post')['413']).content ?? {})).toEqual(['text/plain']);
  });

  it('names what was not found in words of its own, not those of a validator', () => {
    const missing = Object.entries(document.components.responses).filter(([name]) => name.includes('NotFound'));
    expect(missing.length).toBeGreaterThan(10);
    expect(JSON.stringify(document.components.responses)).not.toMatch(/Too (small|big)|Invalid (input|string)/);
  });

  it('says which bodies may be left out: those of updates', () => {
    const optional = operations.filter(({ operation }) => operation.requestBody?.required === false);
    expect(optional.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
      'post /libraries/{id}',
      'post /transformations/{id}',
      'put /libraries/{id}',
      'put /transformations/{id}',
      'put /v2/connections/{id}',
      'put /v2/destinations/{id}',
      'put /v2/sources/{id}',
    ]);
  });

  it('asks for the credentials of the area', () => {
    const security = (path: string, method: string) => document.paths[path]?.[method]?.security;
    expect(security('/transformations', 'get')).toEqual([
      { accessTokenBearer: [] },
      { accessTokenBasic: [] },
      { session: [] },
    ]);
    expect(security('/v1/track', 'post')).toEqual([{ writeKey: [] }]);
    expect(security('/beacon/v1/batch', 'post')).toEqual([{ writeKeyInQuery: [] }]);
    expect(security('/schemas/event-models', 'get')).toEqual([
      { adminPair: [] },
      { accessTokenBasic: [] },
      { session: [] },
    ]);
    expect(security('/destination-definitions', 'get')).toEqual([
      { accessTokenBearer: [] },
      { accessTokenBasic: [] },
      { session: [] },
    ]);
    expect(security('/livez', 'get')).toEqual([]);
  });
});

describe('a schema for typed languages', () => {
  it.each([
    ['several types', { type: ['string', 'number'] }, { anyOf: [{ type: 'string' }, { type: 'number' }] }],
    [
      'several types and null, with what belongs to them',
      { type: ['string', 'number', 'null'], maxLength: 3 },
      { maxLength: 3, anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }] },
    ],
    ['texts to choose from', { enum: ['a', 'b'] }, { type: 'string', enum: ['a', 'b'] }],
  ])('has one type in place of %s', (_, before, after) => {
    const around = (schema: object) => ({ type: 'object', properties: { list: { type: 'array', items: schema } } });
    expect(typed(around(before))).toEqual(around(after));
  });

  it.each([
    ['one type', { type: 'string' }],
    ['one type or null', { type: ['string', 'null'] }],
    ['choices of several types', { enum: ['a', 1] }],
    ['properties with these names', { properties: { type: { type: 'string' }, enum: { type: 'array' } } }],
  ])('keeps %s', (_, schema) => {
    expect(typed(schema)).toEqual(schema);
  });
});
