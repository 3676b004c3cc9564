import { afterAll, describe, expect, it } from '@jest/globals';
import { AbortDestinationTasks, AppError, DeleteLink, GetLink, ListDefinitions, PutLink } from '@weir/contracts';
import { InventoryMirror } from '@weir/inventory';
import { type Api, uniqueName, until } from '@weir/testing';
import { clientOf, newWorkspace } from './client.js';
import { useGateway } from './running-gateway.js';
import { useStub } from './stub-services.js';
import { webhookDefinition } from './webhook-definition.js';

const gateway = useGateway();
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

/** No test ever creates this KSUID, which comes from an example. */
const UNKNOWN = '0ujtsYcgvSTl8PAuAdqWYSMnLOv';
const KSUID = expect.stringMatching(/^[0-9A-Za-z]{27}$/);
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

let mirror: InventoryMirror | undefined;
afterAll(() => mirror?.stop());
/** The bucket as another process sees it. */
async function seen(): Promise<InventoryMirror> {
  if (!mirror) {
    mirror = new InventoryMirror(gateway.nats.connection, { warn: () => {} });
    await mirror.start();
  }
  return mirror;
}

const sourceBody = (fields: object = {}) => ({ name: uniqueName('source'), type: 'HTTP', ...fields });
const config = { webhookUrl: 'https://example.com/hook', apiKey: 'key-1', headers: [{ from: 'x-a', to: 'header-1' }] };
const destinationBody = (fields: object = {}) => ({ name: uniqueName('hook'), type: 'WEBHOOK', config, ...fields });

async function made(client: Api, kind: 'source' | 'destination' | 'connection', body: object) {
  const answer = await client.post(`/v2/${kind}s`, body);
  expect(answer).toMatchObject({ status: 200, body: { [kind]: { id: KSUID } } });
  return answer.body[kind];
}

async function madePair(client: Api) {
  const source = await made(client, 'source', sourceBody());
  const destination = await made(client, 'destination', destinationBody());
  const connection = await made(client, 'connection', { sourceId: source.id, destinationId: destination.id });
  return { source, destination, connection };
}

describe('a source', () => {
  it('lives from create to delete', async () => {
    const client = clientOf(gateway);
    const body = sourceBody({ config: { a: { b: [1] } }, transient: true });
    const source = await made(client, 'source', body);
    expect(source).toEqual({
      ...{ ...body, enabled: true, geoEnrichmentEnabled: false, id: KSUID, writeKey: KSUID, workspaceId: KSUID },
      ...{ createdAt: TIME, updatedAt: TIME },
    });
    expect((await client.get(`/v2/sources/${source.id}`)).body).toEqual({ source });
    const next = { ...source, name: uniqueName('renamed'), enabled: false, config: null, writeKey: 'other' };
    const updated = await client.put(`/v2/sources/${source.id}`, next);
    expect(updated).toMatchObject({
      status: 200,
      body: {
        source: { ...next, config: {}, writeKey: source.writeKey, createdAt: source.createdAt, updatedAt: TIME },
      },
    });
    const deleted = await client.delete(`/v2/sources/${source.id}`);
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    for (const answer of [
      await client.get(`/v2/sources/${source.id}`),
      await client.delete(`/v2/sources/${source.id}`),
    ]) {
      expect(answer).toMatchObject({ status: 404, body: { message: 'source not found', code: 'NOT_FOUND' } });
    }
  });

  it.each([
    [{ name: undefined }, { name: 'is required' }],
    [{ name: '' }, { name: 'must not be empty' }],
    [{ type: 7 }, { type: 'must be a string' }],
    [{ enabled: 'yes' }, { enabled: 'must be true or false' }],
    [{ config: [] }, { config: 'must be an object' }],
  ])('is not made with %j', async (fields, details) => {
    const answer = await clientOf(gateway).post('/v2/sources', sourceBody(fields));
    expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST', details } });
  });

  it('has a name that is unique in its workspace only', async () => {
    const [client, { writer }] = [clientOf(gateway), await newWorkspace(gateway)];
    const body = sourceBody();
    await made(client, 'source', body);
    const other = await made(client, 'source', sourceBody());
    expect(await client.post('/v2/sources', body)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    expect((await client.put(`/v2/sources/${other.id}`, { ...other, name: body.name })).status).toBe(409);
    await made(writer, 'source', body);
  });

  it('does not change its type', async () => {
    const client = clientOf(gateway);
    const source = await made(client, 'source', sourceBody());
    const answer = await client.put(`/v2/sources/${source.id}`, { ...source, type: 'Javascript' });
    expect(answer).toMatchObject({ status: 400, body: { details: { type: 'cannot be changed' } } });
  });
});

describe('a chosen write key', () => {
  const keyOf = () =>
    `kept-${uniqueName('key')}`
      .replaceAll(/[^\w-]/g, '-')
      .padEnd(20, '0')
      .slice(0, 64);

  it('stays the key of the source, and again after a delete', async () => {
    const { admin } = await newWorkspace(gateway);
    const writeKey = keyOf();
    const first = await made(admin, 'source', sourceBody({ writeKey }));
    expect(first.writeKey).toBe(writeKey);
    expect((await admin.delete(`/v2/sources/${first.id}`)).status).toBe(204);
    const second = await made(admin, 'source', sourceBody({ writeKey }));
    await until(
      'the mirror to know the new source',
      async () => (await seen()).sourceByWriteKey(writeKey)?.id === second.id,
    );
  });

  it('is refused if it is taken, or was of another workspace', async () => {
    const [own, other] = [await newWorkspace(gateway), await newWorkspace(gateway)];
    const writeKey = keyOf();
    const { id } = await made(own.admin, 'source', sourceBody({ writeKey }));
    const taken = { status: 409, body: { message: expect.stringContaining('writeKey is taken') } };
    expect(await other.admin.post('/v2/sources', sourceBody({ writeKey }))).toMatchObject(taken);
    await own.admin.delete(`/v2/sources/${id}`);
    const body = sourceBody({ writeKey });
    expect(await other.admin.post('/v2/sources', body)).toMatchObject(taken);
    expect((await other.admin.get('/v2/sources')).body.sources).toEqual([]);
  });

  it('is for admins, and has a form that nobody guesses', async () => {
    const { admin, writer } = await newWorkspace(gateway);
    const refused = await writer.post('/v2/sources', sourceBody({ writeKey: keyOf() }));
    expect(refused).toMatchObject({ status: 403, body: { message: expect.stringContaining('role admin') } });
    for (const writeKey of ['short', 'a'.repeat(65), 'with space in the middle', 7]) {
      const answer = await admin.post('/v2/sources', sourceBody({ writeKey }));
      expect(answer).toMatchObject({ status: 400, body: { details: { writeKey: expect.any(String) } } });
    }
  });
});

describe('the lists', () => {
  it('come in pages of fifty, in order of creation', async () => {
    const { writer } = await newWorkspace(gateway);
    const names = Array.from({ length: 51 }, () => uniqueName('source'));
    for (const name of names) await made(writer, 'source', { name, type: 'HTTP' });
    const first = await writer.get('/v2/sources');
    expect(first.body.paging).toEqual({ total: 51, next: '/v2/sources?page=2' });
    const second = await writer.get(first.body.paging.next);
    expect(second.body.paging).toEqual({ total: 51 });
    const listed = [...first.body.sources, ...second.body.sources].map(({ name }) => name);
    expect(listed).toEqual(names);
    expect((await writer.get('/v2/sources?page=3')).body).toEqual({ sources: [], paging: { total: 51 } });
  });

  it.each(['page=0', 'page=x', 'page=1&page=2', 'page=-1', 'page=1.5'])('refuse ?%s', async (query) => {
    for (const kind of ['sources', 'destinations', 'connections']) {
      expect((await clientOf(gateway).get(`/v2/${kind}?${query}`)).status).toBe(400);
    }
  });
});

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

describe('a connection', () => {
  it('lives from create to delete', async () => {
    const client = clientOf(gateway);
    const { source, destination, connection } = await madePair(client);
    expect(connection).toEqual({
      ...{ id: KSUID, sourceId: source.id, destinationId: destination.id, enabled: true, workspaceId: KSUID },
      ...{ createdAt: TIME, updatedAt: TIME },
    });
    const updated = await client.put(`/v2/connections/${connection.id}`, { ...connection, enabled: false });
    expect(updated).toMatchObject({
      status: 200,
      body: { connection: { ...connection, enabled: false, updatedAt: TIME } },
    });
    expect((await client.delete(`/v2/connections/${connection.id}`)).status).toBe(204);
    expect((await client.get(`/v2/connections/${connection.id}`)).status).toBe(404);
  });

  it('is there once for a pair', async () => {
    const client = clientOf(gateway);
    const { source, destination, connection } = await madePair(client);
    const body = { sourceId: source.id, destinationId: destination.id };
    expect(await made(client, 'connection', { ...body, enabled: false })).toEqual(connection);
    expect(await client.post('/v2/connections', { ...body, externalId: 'x' })).toMatchObject({ status: 409 });
  });

  it('goes with its source', async () => {
    const client = clientOf(gateway);
    const { source, connection } = await madePair(client);
    expect((await client.delete(`/v2/sources/${source.id}`)).status).toBe(204);
    expect((await client.get(`/v2/connections/${connection.id}`)).status).toBe(404);
  });

  it.each([
    [{ sourceId: undefined }, 'sourceId'],
    [{ destinationId: undefined }, 'destinationId'],
    [{ sourceId: UNKNOWN }, 'sourceId'],
    [{ destinationId: 'x' }, 'destinationId'],
    [{ sourceId: ['a'] }, 'sourceId'],
  ])('is not made with %j', async (fields, field) => {
    const client = clientOf(gateway);
    const { source, destination } = await madePair(client);
    const body = { sourceId: source.id, destinationId: destination.id, ...fields };
    const answer = await client.post('/v2/connections', body);
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.details)).toEqual([field]);
  });

  it('is listed by whether it has an external id', async () => {
    const { writer } = await newWorkspace(gateway);
    const [plain, named] = [await madePair(writer), await madePair(writer)];
    await writer.put(`/v2/connections/${named.connection.id}/external-id`, { externalId: 'named' });
    const ids = async (query: string) =>
      (await writer.get(`/v2/connections${query}`)).body.connections.map(({ id }: { id: string }) => id);
    expect(await ids('')).toEqual([plain.connection.id, named.connection.id]);
    expect(await ids('?hasExternalId=true')).toEqual([named.connection.id]);
    expect(await ids('?hasExternalId=false')).toEqual([plain.connection.id]);
    expect((await writer.get('/v2/connections?hasExternalId=maybe')).status).toBe(400);
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

describe('another workspace', () => {
  it("finds nothing of this one's, exactly as if it were unknown", async () => {
    const [{ source, destination, connection }, { admin: stranger }] = [
      await madePair(clientOf(gateway)),
      await newWorkspace(gateway),
    ];
    for (const [kind, { id }] of Object.entries({ source, destination, connection })) {
      for (const ask of [
        (path: string) => stranger.get(path),
        (path: string) => stranger.put(path, { name: uniqueName('stolen') }),
        (path: string) => stranger.delete(path),
      ]) {
        const [foreign, unknown] = [await ask(`/v2/${kind}s/${id}`), await ask(`/v2/${kind}s/${UNKNOWN}`)];
        expect([foreign.status, foreign.body]).toEqual([404, unknown.body]);
      }
    }
    const own = await made(stranger, 'source', sourceBody());
    const answer = await stranger.post('/v2/connections', { sourceId: own.id, destinationId: destination.id });
    expect(answer).toMatchObject({
      status: 400,
      body: { details: { destinationId: `has no destination ${destination.id}` } },
    });
    expect((await clientOf(gateway).get(`/v2/sources/${source.id}`)).body.source).toEqual(source);
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
