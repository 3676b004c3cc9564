import { AREA_RULES, AREAS } from '../http/areas.js';
import type { ModuleRoute } from '../http/module-routes.js';
import { Components, type JsonSchema } from './components.js';
import { nameSchemas } from './names.js';
import { operationOf } from './operation.js';

const TITLES: Record<(typeof AREAS)[number], string> = {
  transformations: 'Area A: transformations and libraries, publishing and testing them',
  regulations: 'Area B: suppression of users and deletion of what is known of them',
  test: 'Area C: one event through the stages of a destination',
  deliveries: 'Live delivery: what did not arrive, counters, another try, and events as they pass',
  schemas: 'Area D: what is known of the events that came in',
  inventory: 'Sources, destinations, connections, the workspace and its access tokens',
  admin: 'Workspaces and access tokens, for the operator',
  intake: 'Events from SDKs and servers',
  public: 'Without credentials',
};

const SECURITY_SCHEMES = {
  accessTokenBasic: { type: 'http', scheme: 'basic', description: 'E-mail address (or nothing) and access token' },
  accessTokenBearer: { type: 'http', scheme: 'bearer', description: 'Access token' },
  adminPair: { type: 'http', scheme: 'basic', description: 'SERVICE_ADMIN_USER and SERVICE_ADMIN_PASSWORD' },
  writeKey: { type: 'http', scheme: 'basic', description: 'Write key of a source as user name, no password' },
};

/** OpenAPI 3.1 of these routes, from the same schemas that check requests. */
export function openApiDocument(routes: readonly ModuleRoute[]): JsonSchema {
  nameSchemas();
  const components = new Components();
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const { method, path, handler, api } of routes) {
    if (!api) continue;
    const template = path.replace(/:(\w+)/g, '{$1}');
    paths[template] = {
      ...paths[template],
      [method.toLowerCase()]: operationOf(api, operationId(handler), components),
    };
  }
  const areas = new Set(routes.flatMap(({ api }) => api?.area ?? []));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Weir',
      version: '1',
      description: 'Transforms, regulates, tests and governs customer event streams.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: AREAS.filter((area) => areas.has(area)).map((area) => ({ name: area, description: describe(area) })),
    paths,
    components: { schemas: components.schemas, securitySchemes: SECURITY_SCHEMES },
  };
}

const describe = (area: (typeof AREAS)[number]) => `${TITLES[area]}; plane: ${AREA_RULES[area].plane}`;

/** Turns `TransformationController.create` into `transformationCreate`. */
function operationId(handler: string): string {
  const [controller = '', method = ''] = handler.replace('Controller', '').split('.');
  return `${controller.charAt(0).toLowerCase()}${controller.slice(1)}${method.charAt(0).toUpperCase()}${method.slice(1)}`;
}
