/** The parts of an OpenAPI document that the tests read. */
export interface OpenApi {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { securitySchemes: Record<string, object>; schemas?: Record<string, object> };
}

export interface Operation {
  operationId: string;
  summary: string;
  security?: Record<string, string[]>[];
  parameters?: { name: string; in: string; required?: boolean; schema: object }[];
  requestBody?: { content: Record<string, { schema: object }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: object }> }>;
}

export interface Route {
  method: string;
  path: string;
  operation: Operation;
}

/** Every method of every path. */
export const routesOf = ({ paths }: OpenApi): Route[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );

/** Names in braces in a path. */
export const placeholdersOf = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name));

/** Every `$ref` anywhere in a value. */
export function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    key === '$ref' && typeof item === 'string' ? [item] : referencesIn(item),
  );
}

/** Resolves a local reference (`#/a/b`). Undefined if it points nowhere. */
export function resolve(document: object, reference: string): unknown {
  const keys = reference.split('/').slice(1);
  return keys.reduce<unknown>((at, key) => (at instanceof Object ? Reflect.get(at, key) : undefined), document);
}
