import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ListChannels,
  ListCredentials,
  ListDefinitions,
  PutChannel,
  PutCredential,
  ResealChannel,
  ResealCredential,
  type StoredChannel,
  type StoredCredential,
} from '@weir/contracts';
import { InventoryMirror } from '@weir/inventory';
import { Sealer } from '@weir/service-kit';
import { until } from '@weir/testing';
import { clientOf } from './client.js';
import { newDestination } from './inventory-fixtures.js';
import { startGateway, useGateway } from './running-gateway.js';
import { useStub } from './stub-services.js';
import { webhookDefinition } from './webhook-definition.js';

const [OLD, NEW, OTHER] = [7, 8, 9].map((byte) => Buffer.alloc(32, byte).toString('base64')) as [
  string,
  string,
  string,
];
const CONFIG = { webhookUrl: 'https://example.com/hook', apiKey: 'hush-config' };
const at = '2026-01-01T00:00:00.000Z';

const gateway = useGateway({ WEIR_ENCRYPTION_KEY: OLD });
const { nats } = gateway;
useStub(nats, ListDefinitions, () => ({ definitions: [webhookDefinition] }));

/** Sealed texts that other services store. */
const credentials = new Map<string, StoredCredential>();
const channels = new Map<string, StoredChannel>();
useStub(nats, PutCredential, ({ workspaceId: _, ...credential }) => {
  const stored = { ...credential, createdAt: at, updatedAt: at };
  credentials.set(stored.key, stored);
  return stored;
});
useStub(nats, ListCredentials, () => ({ credentials: [...credentials.values()] }));
useStub(nats, ResealCredential, ({ key, from, to }) => {
  const stored = credentials.get(key);
  if (stored?.sealedValue === from) credentials.set(key, { ...stored, sealedValue: to });
  return {};
});
useStub(nats, PutChannel, ({ isNew: _, by: __, ...channel }) => {
  const stored = { ...channel, createdAt: at, updatedAt: at, health: { waiting: 0 } };
  channels.set(channel.id, stored);
  return stored;
});
useStub(nats, ListChannels, () => ({ channels: [...channels.values()] }));
useStub(nats, ResealChannel, ({ id, from, to }) => {
  const stored = channels.get(id);
  if (stored?.sealedSettings === from) channels.set(id, { ...stored, sealedSettings: to });
  return {};
});

/** The bucket as a deliverer sees it. */
let mirror: InventoryMirror;
beforeAll(async () => {
  mirror = new InventoryMirror(nats.connection, { warn: () => {} });
  await mirror.start();
});
afterAll(() => mirror?.stop());

/** Another gateway on the same data. Sign-in belongs to the process, so from then on the first one answers nobody. */
const startWith = async (keys: string) => {
  const env = { DATABASE_URL: gateway.database.url, NATS_URL: nats.url, WEIR_ENCRYPTION_KEY: keys };
  const { app, url } = await startGateway(env);
  return { client: clientOf({ ...gateway, url }), stop: () => app.close() };
};

describe('a rotation of the encryption key', () => {
  it('begins with gateways that know the new key, seals all that a key opens, and ends without the old one', async () => {
    const client = clientOf(gateway);
    const { id } = await newDestination(client, { config: CONFIG });
    await client.put('/v2/credentials/crm', { value: 'hush-value', isSecret: false });
    await client.post('/v2/notifications', { type: 'webhook', name: 'On call', url: 'https://example.com/call' });

    const lost = { key: 'lost', isSecret: true, createdBy: 'a@example.com', createdAt: at, updatedAt: at };
    const unreadable = new Sealer(OTHER).seal({ value: 'x' }, 'elsewhere');
    credentials.set(lost.key, { ...lost, sealedValue: unreadable });

    const knowing = await startWith(`${OLD},${NEW}`);
    const before = await knowing.client.get(`/v2/destinations/${id}`);
    expect(before.body.destination.config).toEqual(CONFIG);
    await knowing.stop();

    const { mark } = new Sealer(NEW);
    const sealedTexts = async () => [
      ...(await gateway.database.dataSource.query<{ text: string }[]>(
        'SELECT sealed_config AS text FROM destinations',
      )),
      ...[...credentials.values()].map(({ sealedValue }) => ({ text: sealedValue })),
      ...[...channels.values()].map(({ sealedSettings }) => ({ text: sealedSettings })),
    ];
    expect((await sealedTexts()).filter(({ text }) => text.startsWith(mark))).toEqual([]);
    const sealing = await startWith(`${NEW},${OLD}`);
    await until('all to be sealed anew', async () => {
      const texts = await sealedTexts();
      return texts.filter(({ text }) => text.startsWith(mark)).length === 3;
    });
    await until('the bucket to show it', () => mirror.destination(id)?.sealedConfig.startsWith(mark));
    await sealing.stop();

    const after = await startWith(NEW);
    const sealed = await after.client.get(`/v2/destinations/${id}`);
    expect(sealed.body.destination.config).toEqual(CONFIG);
    expect(sealed.headers.get('etag')).toBe(before.headers.get('etag'));
    expect((await after.client.get('/v2/credentials/crm')).body.credential.value).toBe('hush-value');
    expect(credentials.get('lost')?.sealedValue).toBe(unreadable);
    const [channel] = (await after.client.get('/v2/notifications')).body.channels;
    expect(channel.addresses).toEqual(['https://example.com/call']);
    await after.stop();
  });
});
