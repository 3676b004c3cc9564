import { describe, expect, it } from '@jest/globals';
import { AbortDestinationTasks, AppError, DeleteLink, GetLink, ListDefinitions, PutLink } from '@weir/contracts';
import { uniqueName, until } from '@weir/testing';
import { clientOf, newWorkspace } from './client.js';
import {
  destinationConfig as config,
  destinationBody,
  KSUID,
  made,
  madePair,
  TIME,
  UNKNOWN,
  useMirror,
} from './inventory-fixtures.js';
import { useGateway } from './running-gateway.js';
import { useStub } from './stub-services.js';
import { webhookDefinition } from './webhook-definition.js';

const gateway = useGateway();
const seen = useMirror(gateway.nats);
/** A kind whose address is a secret too. */
const chatDefinition = {
  ...webhookDefinition,
  name: 'CHAT',
  config: { ...webhookDefinition.config, secretKeys: ['webhookUrl', 'apiKey'], addressKeys: ['webhookUrl', 'region'] },
};
useStub(gateway.nats, ListDefinitions, () => ({ definitions: [webhookDefinition, chatDefinition] }));
const links = new Map<string, string>();
const linkOf = (destinationId: string) => {
  const transformationId = links.get(destinationId);
  if (!transformationId) throw new AppError('not_found', 'not found');
  const at = '2026-01-01T00:00:00.000Z';
  return { destinationId, transformationId, createdAt: at, updatedAt: at };
};
useStub(gateway.nats, GetLink, ({ destinationId }) => linkOf(destinationId));
useStub(gateway.nats, PutLink, ({ destinationId, transformationId }) => {
  if (transformationId === UNKNOWN) throw new AppError('not_found', 'transformation not found');
  links.set(destinationId, transformationId);
  return linkOf(destinationId);
});
const unlinked = useStub(gateway.nats, DeleteLink, ({ destinationId }) => {
  const link = linkOf(destinationId);
  links.delete(destinationId);
  return link;
});
const aborted = useStub(gateway.nats, AbortDestinationTasks, () => ({}));

describe('a destination', () => {
  it('lives from create to delete', async () => {
    const client = clientOf(gateway);
    const body = destinationBody({ config: { ...config, unknownKey: { kept: [true] } }, externalId: 'mine' });
    const destination = await made(client, 'destination', body);
    expect(destination).toEqual({
      ...{
        ...body,
        enabled: true,
        status: 'ready',
        version: 1,
        id: KSUID,
        workspaceId: KSUID,
        createdAt: TIME,
        updatedAt: TIME,
      },
    });
    const next = { ...destination, name: uniqueName('renamed'), enabled: false, config: { webhookUrl: 'http://x' } };
    const updated = await client.put(`/v2/destinations/${destination.id}`, next);
    expect(updated).toMatchObject({
      status: 200,
      body: { destination: { ...next, status: 'disabled', updatedAt: TIME } },
    });
    expect(updated.body.destination.config).toEqual({ webhookUrl: 'http://x' });
    const shown = (await client.get(`/v2/destinations/${destination.id}`)).body;
    expect(shown).toEqual({ destination: { ...updated.body.destination, transformationId: null } });
    expect((await client.delete(`/v2/destinations/${destination.id}`)).status).toBe(204);
    expect((await client.get(`/v2/destinations/${destination.id}`)).status).toBe(404);
  });

  it.each([
    [{ type: 'CARRIER_PIGEON' }, 'type'],
    [{ config: { webhookUrl: 'ftp://x' } }, 'config.webhookUrl'],
    [{ config: { ...config, headers: [{ from: 'x' }] } }, 'config.headers.0.to'],
    [{ config: { ...config, apiKey: '***' } }, 'config.apiKey'],
    [{ config: JSON.parse('{"webhookUrl":"https://x","__proto__":{"a":1}}') }, 'config.__proto__'],
  ])('is not made with %j', async (fields, field) => {
    const answer = await clientOf(gateway).post('/v2/destinations', destinationBody(fields));
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.details)).toEqual([field]);
  });

  it.each([{}, null])('is incomplete with the configuration %j, until its settings are there', async (empty) => {
    const { writer, admin } = await newWorkspace(gateway);
    const made = await writer.post('/v2/destinations', destinationBody({ config: empty }));
    const incomplete = { enabled: true, status: 'incomplete', missing: ['webhookUrl'] };
    expect(made).toMatchObject({ status: 200, body: { destination: incomplete } });
    const path = `/v2/destinations/${made.body.destination.id}`;
    expect((await writer.get(path)).body.destination).toMatchObject(incomplete);
    expect((await admin.get(path)).body.destination).toMatchObject(incomplete);
    const completed = (await writer.put(path, { config })).body.destination;
    expect(completed).toMatchObject({ enabled: true, status: 'ready' });
    expect(completed).not.toHaveProperty('missing');
    expect((await writer.put(path, { config: {} })).body.destination).toMatchObject(incomplete);
  });

  const at = { ...config, webhookUrl: 'https://hooks.example.com/hook' };

  it('is sealed at rest, and shows its secrets to admins only', async () => {
    const { writer, reader, admin } = await newWorkspace(gateway);
    const { id, config: shown } = await made(writer, 'destination', destinationBody());
    const masked = { ...config, apiKey: '***', headers: [{ from: 'x-a', to: '***' }] };
    expect(shown).toEqual(masked);
    for (const client of [writer, reader]) {
      expect((await client.get(`/v2/destinations/${id}`)).body.destination.config).toEqual(masked);
      expect((await client.get('/v2/destinations')).body.destinations[0].config).toEqual(masked);
    }
    expect((await admin.get(`/v2/destinations/${id}`)).body.destination.config).toEqual(config);
    const { rows: stored } = await gateway.database.dataSource.run('SELECT d::text FROM destinations d WHERE id = $1', [
      id,
    ]);
    expect(JSON.stringify(stored)).not.toMatch(/header-1|key-1|example\.com/);
    expect(JSON.stringify((await seen()).destination(id))).not.toMatch(/header-1|key-1|example\.com/);
  });

  it.each([
    'https://elsewhere.example.net/hook',
    'https://hooks.example.com/other',
    'https://hooks.example.com:8443/hook',
    'http://hooks.example.com/hook',
    'https://hooks.example.com/hook/../other',
  ])('takes no stored secret along to %s', async (webhookUrl) => {
    const { writer, admin } = await newWorkspace(gateway);
    const { id, ...shown } = await made(writer, 'destination', destinationBody({ config: at }));
    const answer = await writer.put(`/v2/destinations/${id}`, { ...shown, config: { ...shown.config, webhookUrl } });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toMatch(
      /send the secret itself \(webhookUrl changed, and stored secrets are never sent to another address\)$/,
    );
    expect((await admin.get(`/v2/destinations/${id}`)).body.destination.config).toEqual(at);
    const own = { ...at, webhookUrl, apiKey: 'key-2', headers: [{ from: 'x-a', to: 'header-2' }] };
    expect((await writer.put(`/v2/destinations/${id}`, { ...shown, config: own })).status).toBe(200);
  });

  it('keeps an address that is a secret itself, and what it needs to send it where it was', async () => {
    const { writer, admin } = await newWorkspace(gateway);
    const chat = { webhookUrl: 'https://chat.example.com/hook/token', apiKey: 'key-1', region: 'US' };
    const { id, ...shown } = await made(writer, 'destination', destinationBody({ type: 'CHAT', config: chat }));
    expect(shown.config).toEqual({ webhookUrl: '***', apiKey: '***', region: 'US' });
    const put = (fields: object) =>
      writer.put(`/v2/destinations/${id}`, { ...shown, config: { ...shown.config, ...fields } });
    expect((await put({ extra: 1 })).status).toBe(200);
    expect((await put({ region: 'EU' })).status).toBe(400);
    expect((await put({ webhookUrl: 'https://evil.example/' })).status).toBe(400);
    expect((await admin.get(`/v2/destinations/${id}`)).body.destination.config).toEqual({ ...chat, extra: 1 });
  });

  it('keeps a secret that is sent back masked', async () => {
    const { writer, admin } = await newWorkspace(gateway);
    const { id, ...shown } = await made(writer, 'destination', destinationBody());
    const headers = [{ from: 'x-b', to: 'header-2' }, ...shown.config.headers];
    await writer.put(`/v2/destinations/${id}`, { ...shown, config: { ...shown.config, headers } });
    expect((await admin.get(`/v2/destinations/${id}`)).body.destination.config).toEqual({
      ...config,
      headers: [
        { from: 'x-b', to: 'header-2' },
        { from: 'x-a', to: 'header-1' },
      ],
    });
  });

  it('takes its connections with it, and its link and deletion tasks elsewhere', async () => {
    const client = clientOf(gateway);
    const { destination, connection } = await madePair(client);
    links.set(destination.id, UNKNOWN);
    expect((await client.delete(`/v2/destinations/${destination.id}`)).status).toBe(204);
    expect((await client.get(`/v2/connections/${connection.id}`)).status).toBe(404);
    // the answer waits for both only as long as they are quick
    const isTold = () => aborted.requests.some(({ destinationId }) => destinationId === destination.id);
    await until('both to hear of it', () => !links.has(destination.id) && isTold());
  });

  it('is deleted while the other services are away, which hear of it later', async () => {
    const client = clientOf(gateway);
    const { destination } = await madePair(client);
    await aborted.leave();
    expect((await client.delete(`/v2/destinations/${destination.id}`)).status).toBe(204);
    expect(aborted.requests).not.toContainEqual(expect.objectContaining({ destinationId: destination.id }));
    await aborted.join();
    const told = () => aborted.requests.some(({ destinationId }) => destinationId === destination.id);
    await until('the abort', told);
    const left = () => gateway.database.dataSource.run('SELECT 1 FROM destination_cleanups');
    await until('the clean-up to be forgotten', async () => (await left()).count === 0);
  });

  it('gets its external id once', async () => {
    const client = clientOf(gateway);
    const [first, second] = [await madePair(client), await madePair(client)];
    for (const kind of ['destination', 'connection'] as const) {
      const path = (pair: typeof first) => `/v2/${kind}s/${pair[kind].id}/external-id`;
      const externalId = uniqueName('external');
      for (const _ of ['set', 'set again']) {
        const answer = await client.put(path(first), { externalId });
        expect(answer).toMatchObject({ status: 200, body: { id: first[kind].id, externalId } });
      }
      expect((await client.put(path(first), { externalId: 'other' })).body.message).toMatch(/already set/);
      expect((await client.put(path(second), { externalId })).body.message).toMatch(/already exists/);
      expect((await client.get(`/v2/${kind}s/${first[kind].id}`)).body[kind].externalId).toBe(externalId);
    }
  });
});

describe('the transformation of a destination', () => {
  it('is put, read and removed', async () => {
    const client = clientOf(gateway);
    const { id } = await made(client, 'destination', destinationBody());
    const path = `/v2/destinations/${id}/transformation`;
    expect((await client.get(path)).status).toBe(404);
    const transformationId = '1srOrx2ZWZBpJUvZwXKQmoEYga2';
    const link = { destinationId: id, transformationId, createdAt: TIME, updatedAt: TIME };
    expect(await client.put(path, { transformationId })).toMatchObject({ status: 200, body: link });
    expect(await client.get(path)).toMatchObject({ status: 200, body: link });
    const { destination } = (await client.get(`/v2/destinations/${id}`)).body;
    expect(destination).toMatchObject({ transformationId, transformation: { id: transformationId } });
    expect(await client.delete(path)).toMatchObject({ status: 200, body: link });
    expect((await client.delete(path)).status).toBe(404);
  });

  it.each([UNKNOWN, 'x', ''])('cannot be %p', async (transformationId) => {
    const client = clientOf(gateway);
    const { id } = await made(client, 'destination', destinationBody());
    const answer = await client.put(`/v2/destinations/${id}/transformation`, { transformationId });
    expect(answer).toMatchObject({ status: 400, body: { details: { transformationId: expect.any(String) } } });
  });

  it('asks nobody about an unknown destination', async () => {
    const before = unlinked.requests.length;
    const answer = await clientOf(gateway).delete(`/v2/destinations/${UNKNOWN}/transformation`);
    expect(answer).toMatchObject({ status: 404, body: { message: 'destination not found' } });
    expect(unlinked.requests).toHaveLength(before);
  });
});

describe('the definitions', () => {
  it('are bare, and for callers with a token', async () => {
    const reader = clientOf(gateway);
    expect((await reader.get('/destination-definitions')).body).toEqual([webhookDefinition, chatDefinition]);
    expect((await reader.get('/destination-definitions/WEBHOOK')).body).toEqual(webhookDefinition);
    expect((await clientOf(gateway, 'nobody').get('/destination-definitions')).status).toBe(401);
    expect(await reader.get('/destination-definitions/NONE')).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    });
  });
});
