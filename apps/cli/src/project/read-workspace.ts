import { unwrap, type WeirClient } from '@weir/client';
import type { TestCase } from './code-files.js';
import type { JsonObject } from './json.js';
import type { Actual, Privacy } from './resources.js';

/** Requests at a time: one for the privacy settings of each source, and one for the tests of each transformation. */
const AT_ONCE = 8;

/** Reads everything of a workspace that files can describe. */
export async function readWorkspace(client: WeirClient, token: string): Promise<Actual> {
  const query = { query: { status: 'all' as const, etags: true } };
  const params = { query: { etags: true } };
  const [sources, destinations, connections, transformations, libraries, credentials, definitions] = await Promise.all([
    collected(client.paginate('/v2/sources', { params })),
    collected(client.paginate('/v2/destinations', { params })),
    collected(client.paginate('/v2/connections', { params })),
    unwrap(client.GET('/transformations', { params: query })),
    unwrap(client.GET('/libraries', { params: query })),
    unwrap(client.GET('/v2/credentials')),
    unwrap(client.GET('/destination-definitions')),
  ]);
  const names = new Map([...sources, ...destinations].map(({ id, name }) => [id, name]));
  const links = new Map(transformations.transformations.flatMap((one) => one.destinations.map((id) => [id, one])));
  const tests = await inTurns(transformations.transformations, ({ id }) => testsOf(client, id));
  const privacies = await inTurns(sources, ({ writeKey }) => privacyOf(client, token, writeKey));
  return {
    sources: sources.map(({ id, etag, name, type, enabled, transient, partitions, config, writeKey, ...rest }, at) => ({
      ...{ id, etag, name, type, enabled, transient, partitions, writeKey, geoEnrichment: rest.geoEnrichmentEnabled },
      config: config as JsonObject,
      privacy: privacies[at] ?? { samples: 'keep', maskedKeys: [] },
    })),
    destinations: destinations.map(({ id, etag, name, type, enabled, config }) => ({
      ...{ id, etag, name, type, enabled, config: config as JsonObject },
      ...{ transformation: links.get(id)?.name, transformationId: links.get(id)?.id },
    })),
    connections: connections.map(({ id, etag, sourceId, destinationId, enabled }) => ({
      ...{
        id,
        etag,
        enabled,
        source: names.get(sourceId) ?? sourceId,
        destination: names.get(destinationId) ?? destinationId,
      },
    })),
    transformations: transformations.transformations.map((one, at) => ({ ...codeOf(one), tests: tests[at] ?? [] })),
    libraries: libraries.libraries.map((one) => ({ ...codeOf(one), importName: one.importName })),
    credentials: credentials.credentials.map(({ key, isSecret, value, updatedAt }) => ({
      ...{ key, secret: isSecret, value, etag: updatedAt },
    })),
    kinds: Object.fromEntries(
      definitions.map(({ name, config, configSchema }) => [
        name,
        { secretKeys: config.secretKeys, configSchema: configSchema as JsonObject },
      ]),
    ),
  };
}

/** Area D takes a token as a password without a name. */
export const basicOf = (token: string) => ({ authorization: `Basic ${btoa(`:${token}`)}` });

interface ShownCode {
  id: string;
  etag?: string;
  versionId: string;
  name: string;
  description: string;
  code: string;
  isPublished?: boolean;
}

const codeOf = ({ id, etag, versionId, name, description, code, isPublished = true }: ShownCode) => ({
  ...{ id, etag, versionId, name, description, code, isPublished },
});

export async function privacyOf(client: WeirClient, token: string, writeKey: string): Promise<Privacy> {
  const init = { params: { path: { WriteKey: writeKey } }, headers: basicOf(token) };
  const { Samples, MaskedKeys } = await unwrap(client.GET('/schemas/sources/{WriteKey}/privacy', init));
  return { samples: Samples, maskedKeys: MaskedKeys };
}

const testsOf = async (client: WeirClient, id: string): Promise<TestCase[]> =>
  (await unwrap(client.GET('/transformations/{id}/tests', { params: { path: { id } } }))).tests as TestCase[];

async function collected<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

async function inTurns<Item, Result>(items: readonly Item[], read: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += AT_ONCE)
    results.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(read))));
  return results;
}
