import { describe, expect, it } from '@jest/globals';
import { isJsonObject, type JsonObject } from '@weir/contracts';
import { sampleConfig, sampleEvents } from '@weir/testing';
import type { DestinationKind, Outbound } from './kind.js';
import { destinationDefinitions, destinationKind } from './registry.js';

const EVENTS = sampleEvents();
/** Values that some kind treats as an address, a region or a version, in addition to those in its schema. */
const VALUES = [
  'https://evil.example/x',
  'evil.example',
  'evil',
  'EU',
  'eu',
  'EU-01',
  '02',
  'in1',
  'v1',
  'v2',
  'legacyApi',
  true,
  false,
];
const kinds = destinationDefinitions().map(({ name }) => [name, destinationKind(name) as DestinationKind] as const);

/** The hosts that receive events and deletions with this configuration. */
async function hostsOf(kind: DestinationKind, config: JsonObject): Promise<string> {
  const hosts = new Set<string>();
  const note = (url: string) => void hosts.add(URL.parse(url)?.host ?? 'none');
  const outbound: Outbound = {
    request: async ({ url }) => {
      note(url);
      return { status: 404, headers: {}, body: Buffer.from('{}'), truncated: false };
    },
    connect: () => Promise.reject(new Error('there is no network here')),
  };
  for (const event of EVENTS) {
    try {
      // Kinds that open connections use topics and tables as endpoints. The second test covers their hosts.
      for (const { endpoint } of kind.open ? [] : kind.transform(event, config)) note(endpoint);
    } catch {
      // The kind sends nothing if it refuses the event with this configuration.
    }
  }
  const users = [{ userId: 'ada', email: 'ada@example.com', anonymousId: 'anon-1' }];
  if (!kind.open)
    await kind.deletion
      ?.delete({ regulationId: 'r', destinationId: 'd', config, users }, outbound)
      .catch(() => undefined);
  hosts.delete('none');
  return [...hosts].sort().join(' ');
}

const listedIn = (schema: unknown): unknown[] =>
  isJsonObject(schema) ? [schema['enum'], schema['examples']].flat().filter(Boolean) : [];

describe('whatever decides a host is an address key', () => {
  it.each(kinds)('of %s', async (_, kind) => {
    const { definition } = kind;
    const properties = (definition.configSchema['properties'] ?? {}) as JsonObject;
    const config = sampleConfig(kind, (path) => (/webhook/i.test(path) ? 'https://chat.example.com/hook' : 'secret'));
    const usual = await hostsOf(kind, config);
    const deciding = new Set<string>();
    for (const [key, schema] of Object.entries(properties)) {
      for (const value of [...listedIn(schema), ...VALUES]) {
        const hosts = await hostsOf(kind, { ...config, [key]: value });
        // An empty host means that the value is refused. A subset of the usual hosts adds no new address.
        if (hosts.split(' ').some((host) => host !== '' && !usual.split(' ').includes(host))) deciding.add(key);
      }
    }
    const { addressKeys, secretKeys } = definition.config;
    const known = [...addressKeys, ...secretKeys];
    expect([...deciding].filter((key) => !known.includes(key))).toEqual([]);
  });

  it('also of those that open connections', () => {
    const keysOf = (name: string) => destinationKind(name)?.definition.config.addressKeys;
    expect(['KAFKA', 'NATS', 'POSTGRES', 'REDIS', 'S3'].map(keysOf)).toEqual([
      ['hostName', 'port'],
      ['servers'],
      ['host', 'port'],
      ['address'],
      ['bucketName', 'endPoint', 'region'],
    ]);
  });
});
