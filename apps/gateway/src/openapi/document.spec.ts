import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { PLANE_MODULES } from '../app.module.js';
import { controllersOf, routesOf } from '../http/module-routes.js';
import { INTAKE_ROUTES } from '../intake/intake.api.js';
import type { JsonSchema } from './components.js';
import { openApiDocument } from './document.js';

const routes = [
  ...Object.values(PLANE_MODULES)
    .flat()
    .flatMap((module) => routesOf(controllersOf(module))),
  ...INTAKE_ROUTES,
];
// The document in its serialized form.
const document = JSON.parse(JSON.stringify(openApiDocument(routes))) as {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema>; securitySchemes: Record<string, unknown> };
};

interface Operation {
  operationId: string;
  tags: string[];
  security: Record<string, unknown>[];
  parameters?: { name: string; in: string; required: boolean; schema: JsonSchema }[];
  requestBody?: { required: boolean; content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: JsonSchema }> }>;
}

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
  ...Object.values(responses).flatMap(({ content = {} }) => Object.values(content).map(({ schema }) => schema)),
];

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
    const names = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`);
    expect([...refs].sort()).toEqual(names.sort());
  });

  it('has operation ids that are not used twice', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
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
  });

  it('says what each area refuses with', () => {
    const at = (path: string, method: string) => document.paths[path]?.[method]?.responses ?? {};
    expect(Object.keys(at('/v2/regulations', 'post'))).toEqual(
      expect.arrayContaining(['201', '400', '401', '403', '408', '413', '415', '503']),
    );
    expect(at('/schemas/event-models', 'get')['400']?.description).toContain('unauthenticated');
    expect(Object.keys(at('/v1/track', 'post')['413']?.content ?? {})).toEqual(['text/plain']);
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
    expect(security('/transformations', 'get')).toEqual([{ accessTokenBasic: [] }, { accessTokenBearer: [] }]);
    expect(security('/v1/track', 'post')).toEqual([{ writeKey: [] }]);
    expect(security('/schemas/event-models', 'get')).toEqual([{ adminPair: [] }]);
    expect(security('/destination-definitions', 'get')).toEqual([{ accessTokenBasic: [] }, { accessTokenBearer: [] }]);
    expect(security('/livez', 'get')).toEqual([]);
  });
});
