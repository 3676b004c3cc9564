import type { DestinationDefinition } from '@weir/contracts';
import type { ModuleRoute } from '../http/routes.js';
import { COOKIE_NAME } from '../http/session-cookie.js';
import { withConfigs } from './config-schemas.js';
import { operationOf } from './operation.js';
import { operationIdOf } from './operation-ids.js';
import { Components, type JsonSchema, nameSchemas } from './schemas.js';
import { TAGS, tagOf } from './tags.js';

const SECURITY_SCHEMES = {
  accessTokenBearer: { type: 'http', scheme: 'bearer', description: 'Access token' },
  accessTokenBasic: { type: 'http', scheme: 'basic', description: 'E-mail address (may be empty) and access token' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: COOKIE_NAME,
    description:
      'Session of the console (`POST /console/session`). Over HTTPS, its name begins with `__Host-`. ' +
      'It ends with the port if the address names one: `weir_session_8080`. A page may name the session that it shows in ' +
      '`Weir-Session`: if the cookie is that of another one, the answer is 409',
  },
  writeKey: {
    type: 'http',
    scheme: 'basic',
    description: 'Write key of a source as the user name, without a password',
  },
  writeKeyInQuery: { type: 'apiKey', in: 'query', name: 'writeKey', description: 'Write key of a source' },
  adminPair: { type: 'http', scheme: 'basic', description: 'SERVICE_ADMIN_USER and SERVICE_ADMIN_PASSWORD' },
};

/** OpenAPI 3.1 of these routes, from the same schemas that check requests. */
export function openApiDocument(
  routes: readonly ModuleRoute[],
  definitions: readonly DestinationDefinition[] = [],
): JsonSchema {
  nameSchemas();
  const components = new Components();
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const { method, path, handler, api } of routes) {
    if (!api) continue;
    const template = path.replace(/:(\w+)/g, '{$1}');
    const named = { operationId: operationIdOf(handler), tag: tagOf(path) };
    paths[template] = { ...paths[template], [method.toLowerCase()]: operationOf(api, named, components) };
  }
  const used = new Set(routes.map(({ path }) => tagOf(path)));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Weir',
      version: '1',
      summary: 'The open control and data plane for customer event streams',
      description: INTRODUCTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: TAGS.filter(({ name }) => used.has(name)).map(({ name, description }) => ({ name, description })),
    paths,
    components: {
      schemas: typed(withConfigs(components.schemas, definitions)),
      responses: components.responses,
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

/**
 * The same schema for generators of typed languages. They know one type, which may also be null: several types become `anyOf`. A list of
 * texts to choose from says that they are texts.
 */
export const typed = (schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema), (_, value: unknown) => (isObject(value) ? withOneType(value) : value));

function withOneType(schema: JsonSchema): JsonSchema {
  const { type, ...rest } = schema;
  if (Array.isArray(type) && type.filter((one) => one !== 'null').length > 1)
    return { ...rest, anyOf: type.map((one) => ({ type: one })) };
  const { enum: choices } = rest;
  const areTexts = Array.isArray(choices) && choices.every((one) => typeof one === 'string');
  return areTexts && type === undefined ? { type: 'string', ...rest } : schema;
}

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The first page of the documentation, as Markdown. */
const INTRODUCTION = `Weir takes in customer events, changes them with your code, delivers them, and forgets users on request.

## First steps

1. **Create a source** (\`POST /v2/sources\`). Its answer has the \`writeKey\`.
2. **Create a destination** (\`POST /v2/destinations\`) and **connect** both (\`POST /v2/connections\`).
3. **Send an event** with the write key (\`POST /v1/track\`), or point an SDK to this server.
4. **Change events with code**: create a transformation with \`POST /transformations?publish=true\` and \`destinationIds\`.
5. **See what happened**: \`GET /v2/live-events\` as it happens, and \`GET /v2/deliveries\` for what failed. Then
   \`POST /v2/deliveries/replay\`.

## Credentials

| for                        | send                                                                    |
| -------------------------- | ----------------------------------------------------------------------- |
| most routes                | \`Authorization: Bearer <access token>\`, or Basic with e-mail and token  |
| events (\`/v1/*\`)           | Basic with the write key of a source as user name, without a password   |
| \`/schemas/*\` and \`/admin/*\` | Basic with the pair that the operator set                               |

The console has a session cookie instead (\`POST /console/session\`). Any \`Authorization\` header takes precedence over it. A
request with the cookie that changes something must come from a page of this server (403 otherwise).

A local stack prints all of them when it starts. This page keeps them until you close its tab.

## Errors

Every error has a status of 400 or more. On most routes, its body is \`{message, error, code, details?}\`: \`message\` says what to
change, and programs read \`code\`. \`/schemas/*\` answers \`{msg}\`, and the intake answers plain text. After 429 and 503, retry
when \`Retry-After\` says so.

## Lists

Lists come in pages. \`paging.next\` is the path of the next page. The last page has none.

## Clients

\`/openapi.json\` makes typed clients. With TypeScript: \`npx openapi-typescript <this server>/openapi.json -o weir.d.ts\`.
`;
