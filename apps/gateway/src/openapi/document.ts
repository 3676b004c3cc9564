import type { DestinationDefinition } from '@weir/contracts';
import type { ModuleRoute } from '../http/routes.js';
import { COOKIE_NAME } from '../http/session-cookie.js';
import { withConfigs } from './config-schemas.js';
import { INTRODUCTION } from './introduction.js';
import { operationOf } from './operation.js';
import { operationIdOf } from './operation-ids.js';
import { Components, type JsonSchema, nameSchemas } from './schemas.js';
import { TAGS, tagOf } from './tags.js';
import { typed } from './typed.js';

const SECURITY_SCHEMES = {
  accessTokenBearer: { type: 'http', scheme: 'bearer', description: 'Access token' },
  accessTokenBasic: { type: 'http', scheme: 'basic', description: 'E-mail address (may be empty) and access token' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: COOKIE_NAME,
    description:
      'Session of the console (`POST /console/session`). Over HTTPS, its name begins with `__Host-`. ' +
      'It ends with the port if the address names one: `weir_session_8080`',
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
