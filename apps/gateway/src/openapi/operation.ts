import { z } from 'zod';
import type { ApiSpec } from '../http/api.js';
import { AREA_RULES, type Scheme } from '../http/areas.js';
import { needOf, rolesOf } from '../http/roles.js';
import { isBodyRequired } from '../http/validate.js';
import { refusalsOf } from './responses.js';
import type { Components, JsonSchema } from './schemas.js';

/** Any one of these grants access to an area. */
const SECURITY: Record<Scheme, Record<string, string[]>[]> = {
  token: [{ accessTokenBearer: [] }, { accessTokenBasic: [] }, { session: [] }],
  admin: [{ adminPair: [] }],
  'token-or-admin': [{ adminPair: [] }, { accessTokenBasic: [] }, { session: [] }],
  'write-key': [{ writeKey: [] }],
  none: [],
};

/** Who may call the route, said as a sentence of its description. */
const NEEDED: Record<Scheme, (api: ApiSpec) => string> = {
  token: (api) => `Needs ${needOf(api)}.`,
  'token-or-admin': (api) => `Needs the admin pair, or ${needOf(api)}.`,
  admin: () => 'Needs the admin pair.',
  'write-key': () => 'Needs the write key of a source.',
  none: () => 'Needs no credentials.',
};

interface Named {
  operationId: string;
  tag: string;
}

export function operationOf(api: ApiSpec, { operationId, tag }: Named, components: Components): JsonSchema {
  const scheme = api.access === 'none' ? 'none' : AREA_RULES[api.area].scheme;
  const parameters = [
    ...parametersOf('path', api.params, components),
    ...parametersOf('query', api.query, components),
    ...parametersOf('header', api.headers, components),
  ];
  const roles = rolesOf(api);
  const replied = success(api, components);
  return {
    operationId,
    tags: [tag],
    summary: api.summary,
    description: [api.description, NEEDED[scheme](api)].filter(Boolean).join('\n\n'),
    security: api.security ?? SECURITY[scheme],
    ...(roles && { 'x-roles': roles }),
    ...(parameters.length > 0 && { parameters }),
    ...(api.body && { requestBody: requestBody(api, api.body, components) }),
    responses: {
      [String(api.status ?? 200)]: replied,
      ...(api.otherStatus && { [String(api.otherStatus)]: replied }),
      ...refusalsOf(api, components),
    },
  };
}

function parametersOf(
  place: 'path' | 'query' | 'header',
  schema: z.ZodObject | undefined,
  components: Components,
): JsonSchema[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = components.of(schema, 'input');
  return Object.entries(properties as Record<string, JsonSchema>).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    required: place === 'path' || (required as string[]).includes(name),
    ...(description !== undefined && { description }),
    schema: rest,
  }));
}

function requestBody({ needsBody = false }: ApiSpec, body: z.ZodType, components: Components): JsonSchema {
  const required = needsBody || isBodyRequired(body);
  return { required, content: { 'application/json': { schema: components.of(body, 'input') } } };
}

const ETAG_HEADERS = {
  headers: {
    ETag: { description: 'Entity tag of the state of the object, for `If-Match`', schema: { type: 'string' } },
  },
};

function success({ reply, status = 200, etag }: ApiSpec, components: Components): JsonSchema {
  if (reply instanceof z.ZodVoid) return { description: 'Done' };
  const schema = components.of(reply, 'output');
  const text = typeof schema['contentMediaType'] === 'string' ? schema['contentMediaType'] : 'text/plain';
  return {
    description: status === 201 ? 'Created' : 'OK',
    ...(etag && ETAG_HEADERS),
    content: { [schema['type'] === 'string' ? text : 'application/json']: { schema } },
  };
}
