import { z } from 'zod';
import type { ApiSpec } from '../http/api.js';
import { AREA_RULES, type Scheme } from '../http/areas.js';
import { isBodyRequired } from '../http/validate.js';
import type { Components, JsonSchema } from './components.js';
import { errorResponses } from './errors.js';

/** Any one of these grants access to an area. */
export const SECURITY: Record<Scheme, Record<string, string[]>[]> = {
  token: [{ accessTokenBasic: [] }, { accessTokenBearer: [] }],
  admin: [{ adminPair: [] }],
  'write-key': [{ writeKey: [] }],
  none: [],
};

export function operationOf(api: ApiSpec, operationId: string, components: Components): JsonSchema {
  const scheme = api.access === 'none' ? 'none' : AREA_RULES[api.area].scheme;
  const parameters = [
    ...parametersOf('path', api.params, components),
    ...parametersOf('query', api.query, components),
    ...parametersOf('header', api.headers, components),
  ];
  const replied = success(api.reply, components);
  return {
    operationId,
    tags: [api.area],
    summary: api.summary,
    ...(api.description && { description: api.description }),
    security: SECURITY[scheme],
    ...(parameters.length > 0 && { parameters }),
    ...(api.body && { requestBody: requestBody(api, api.body, components) }),
    responses: {
      [String(api.status ?? 200)]: replied,
      ...(api.otherStatus && { [String(api.otherStatus)]: replied }),
      ...errorResponses(api, components),
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

function success(reply: z.ZodType, components: Components): JsonSchema {
  if (reply instanceof z.ZodVoid) return { description: 'Done' };
  const schema = components.of(reply, 'output');
  const text = typeof schema['contentMediaType'] === 'string' ? schema['contentMediaType'] : 'text/plain';
  return {
    description: 'OK',
    content: { [schema['type'] === 'string' ? text : 'application/json']: { schema } },
  };
}
