import { sharedStack } from '@weir/local';
import { basic, uniqueName, until } from '@weir/testing';
import { KEEP, newLibrary, newTransformation } from '../support/code.js';
import { connect, newSource, newWebhook, sendEvent } from '../support/inventory.js';
import { type OpenApi, type Operation, type Route, resolve } from '../support/openapi.js';
import { made, newWorkspace, operator, UNKNOWN_ID, UNKNOWN_UUID } from '../support/workspace.js';

export type JsonSchema = Record<string, unknown>;

/** The best request that can be made from the document alone, with ids that exist. */
export interface BaseRequest {
  route: Route;
  headers: Record<string, string>;
  /** Keyed by name. */
  path: Record<string, string>;
  query: Record<string, string>;
  body: unknown;
}

/** Placeholder for a text that no other request uses. */
export const UNIQUE = '{unique}';
const HOOK = 'https://hooks.example.com/in';
/** Samples follow a schema to this depth. Customers define anything deeper. */
const SAMPLE_DEPTH_MAX = 6;

/** Makes requests for a workspace with one object of each kind. */
export async function baseRequests(document: OpenApi): Promise<(route: Route) => BaseRequest> {
  const own = await newWorkspace();
  const [source, changed] = [await newSource(own.writer), await newSource(own.writer)];
  const destination = await newWebhook(own.writer, HOOK);
  await connect(own.writer, source, destination);
  const transformation = await newTransformation(own.writer);
  const library = await newLibrary(own.writer, 'export const one = 1;');
  const [regulation] = made(
    await own.writer.post('/v2/regulations', { regulationType: 'suppress', users: [{ userId: 'u' }] }),
    201,
  );
  await sendEvent(source, 'track', { userId: uniqueName('user'), event: 'Bought' });
  const observed = await observedOf(source.writeKey);
  const { connections } = made(await own.reader.get('/v2/connections'));
  const { admin } = sharedStack();
  const credentials: Record<string, string> = {
    accessTokenBasic: `Bearer ${own.tokens.admin}`,
    adminPair: basic(admin.user, admin.password),
    writeKey: basic(source.writeKey, ''),
  };
  /** Ids by the collection in the path. */
  const ids: Record<string, string> = {
    sources: changed.id,
    destinations: destination.id,
    connections: connections[0].id,
    transformations: transformation.id,
    libraries: library.id,
    regulations: regulation.id,
    testDestination: destination.id,
    testSource: source.id,
    workspaces: own.id,
  };
  /** Values by the name of a parameter or a field. */
  const named: Record<string, unknown> = {
    ...{ sourceId: source.id, destinationId: destination.id, transformationId: transformation.id },
    ...{
      versionId: transformation.versionId,
      workspaceId: own.id,
      WriteKey: source.writeKey,
      writeKey: source.writeKey,
    },
    ...{ ...observed, key: 'crmToken', asset: 'start.js', name: 'WEBHOOK' },
    ...{
      sourceIds: undefined,
      destinationIds: undefined,
      ids: undefined,
      expiresAt: undefined,
      email: 'a@example.com',
    },
  };

  return (route) => {
    const { method, path, operation } = route;
    const parameters = operation.parameters ?? [];
    const of = (place: string) => parameters.filter((one) => one.in === place).map(({ name }) => name);
    const collection = path.split('/').filter((part) => !part.startsWith('{'));
    const idOf = (name: string) => {
      if (method === 'DELETE') return path.includes('regulations') ? UNKNOWN_UUID : UNKNOWN_ID;
      return String(named[name] ?? collection.map((part) => ids[part]).find(Boolean) ?? UNKNOWN_ID);
    };
    const scheme = operation.security?.flatMap(Object.keys).find((name) => name in credentials);
    const schema = Object.values(operation.requestBody?.content ?? {})[0]?.schema as JsonSchema | undefined;
    return {
      route,
      headers: scheme ? { authorization: credentials[scheme] ?? '' } : {},
      path: Object.fromEntries(of('path').map((name) => [name, idOf(name)])),
      query: path.startsWith('/beacon') || path.startsWith('/pixel') ? { writeKey: source.writeKey } : {},
      body: schema && { ...(sample(schema) as object), ...fitting(path, operation) },
    };
  };

  /** Values that a schema does not reveal. Without them a service would refuse the request before it reads the rest. */
  function fitting(path: string, { operationId }: Operation): object {
    if (path.startsWith('/v2/sources')) return { name: UNIQUE, type: 'HTTP' };
    if (path.startsWith('/v2/destinations') && !path.includes('/{id}/')) {
      return { name: UNIQUE, type: 'WEBHOOK', config: { webhookUrl: HOOK, headers: [] } };
    }
    if (path === '/transformations' || path === '/libraries' || /^\/(transformations|libraries)\/\{id\}$/.test(path)) {
      return { name: UNIQUE, code: KEEP, language: 'javascript', description: 'd' };
    }
    if (path.endsWith('/publish') || path.endsWith('/tests/run') || path.endsWith('/libraries/test')) {
      const transformations = [{ versionId: transformation.versionId, testInput: [{ type: 'track' }] }];
      return { transformations, libraries: [{ versionId: library.versionId }] };
    }
    if (path.startsWith('/v0/')) {
      const message = { type: 'track', event: 'e', userId: 'u', properties: { a: 1 } };
      return { message, stage: { dest_transform: true }, expect: [{ pointer: '/data', exists: true }] };
    }
    return operationId === 'workspaceCreate' ? { name: UNIQUE } : {};
  }

  /** A value that satisfies the schema, with every field of an object. */
  function sample(schema: JsonSchema, name = '', depth = 0): unknown {
    if (name in named) return named[name];
    if (typeof schema['$ref'] === 'string') {
      return sample(resolve(document, schema['$ref']) as JsonSchema, name, depth);
    }
    const { examples, const: fixed, enum: choices, default: preset, anyOf, oneOf, items, properties } = schema;
    if (Array.isArray(examples)) return structuredClone(examples[0]);
    if (fixed !== undefined || preset !== undefined) return fixed ?? preset;
    if (Array.isArray(choices)) return choices[0];
    const variants = (anyOf ?? oneOf) as JsonSchema[] | undefined;
    if (variants?.[0]) return sample(variants.at(-1) as JsonSchema, name, depth);
    if (depth >= SAMPLE_DEPTH_MAX) return null;
    if (schema['type'] === 'array') return [sample((items ?? {}) as JsonSchema, '', depth + 1)];
    if (schema['type'] === 'object' || properties) {
      const fields = Object.entries((properties ?? {}) as Record<string, JsonSchema>);
      return Object.fromEntries(fields.map(([field, inner]) => [field, sample(inner, field, depth + 1)]));
    }
    if (schema['type'] === 'integer' || schema['type'] === 'number') return schema['minimum'] ?? 0.5;
    if (schema['type'] === 'boolean') return true;
    if (schema['format'] === 'date-time') return '2026-01-01T00:00:00.000Z';
    return 'text';
  }
}

/** The ids of the source's first model and of its version, once the collector has counted an event. */
async function observedOf(writeKey: string): Promise<{ EventID: string; VersionID: string }> {
  const first = async (path: string) => made(await operator().get(path))[0];
  const { EventID } = await until('a first model', () => first(`/schemas/event-models?WriteKey=${writeKey}`));
  const { VersionID } = await first(`/schemas/event-versions?EventID=${EventID}`);
  return { EventID, VersionID };
}
