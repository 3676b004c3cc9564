import { describe, expect, it } from '@jest/globals';
import { ListDefinitions } from '@weir/contracts';
import { uniqueName, until } from '@weir/testing';
import { clientOf, newWorkspace } from './client.js';
import { destinationBody, KSUID, made, madePair, sourceBody, TIME, UNKNOWN, useMirror } from './inventory-fixtures.js';
import { useGateway } from './running-gateway.js';
import { useStub } from './stub-services.js';
import { webhookDefinition } from './webhook-definition.js';

const gateway = useGateway();
useStub(gateway.nats, ListDefinitions, () => ({ definitions: [webhookDefinition] }));
const seen = useMirror(gateway.nats);

const NO_PARTITIONS = [0, 17, 1.5, '4', null].map(
  (partitions) => [{ partitions }, { partitions: 'must be an integer from 1 to 16' }] as const,
);

describe('a source', () => {
  it('lives from create to delete', async () => {
    const client = clientOf(gateway);
    const body = sourceBody({ config: { a: { b: [1] } }, transient: true });
    const source = await made(client, 'source', body);
    expect(source).toEqual({
      ...{ ...body, enabled: true, geoEnrichmentEnabled: false, id: KSUID, writeKey: KSUID, workspaceId: KSUID },
      ...{ partitions: 1, createdAt: TIME, updatedAt: TIME },
    });
    expect((await client.get(`/v2/sources/${source.id}`)).body).toEqual({ source });
    const next = { ...source, name: uniqueName('renamed'), enabled: false, config: null, writeKey: 'other' };
    const updated = await client.put(`/v2/sources/${source.id}`, next);
    expect(updated).toMatchObject({
      status: 200,
      body: {
        source: {
          ...next,
          config: {},
          writeKey: source.writeKey,
          createdAt: source.createdAt,
          updatedAt: TIME,
        },
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
    ...NO_PARTITIONS,
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

  it('is spread over partitions only while it is disabled', async () => {
    const client = clientOf(gateway);
    const source = await made(client, 'source', sourceBody());
    const put = (fields: object) => client.put(`/v2/sources/${source.id}`, fields);
    for (const fields of [{ partitions: 4 }, { partitions: 4, enabled: false }]) {
      const answer = await put(fields);
      expect(answer).toMatchObject({
        status: 409,
        body: { code: 'CONFLICT', message: expect.stringContaining('disable it') },
      });
    }
    expect((await put({ partitions: 1, name: uniqueName('renamed') })).status).toBe(200);
    expect((await put({ enabled: false })).status).toBe(200);
    expect(await put({ partitions: 4 })).toMatchObject({ status: 200, body: { source: { partitions: 4 } } });
    expect(await put({ enabled: true })).toMatchObject({ status: 200, body: { source: { partitions: 4 } } });
    const mirror = await seen();
    await mirror.catchUp(5_000);
    expect(mirror.source(source.id)).toMatchObject({ enabled: true, partitions: 4 });
    expect((await put({ partitions: 1 })).status).toBe(409);
  });

  it.each(NO_PARTITIONS)('does not change to %j', async (fields, details) => {
    const client = clientOf(gateway);
    const source = await made(client, 'source', sourceBody({ enabled: false, partitions: 16 }));
    const answer = await client.put(`/v2/sources/${source.id}`, fields);
    expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST', details } });
  });

  it('does not change its type', async () => {
    const client = clientOf(gateway);
    const source = await made(client, 'source', sourceBody());
    const answer = await client.put(`/v2/sources/${source.id}`, { ...source, type: 'Javascript' });
    expect(answer).toMatchObject({ status: 400, body: { details: { type: 'cannot be changed' } } });
  });
});

describe.each([
  ['source', sourceBody],
  ['destination', destinationBody],
] as const)('a %s with a unique name', (kind, bodyOf) => {
  const path = `/v2/${kind}s?uniqueName=true`;

  it('is refused while the name is taken, and the answer tells whose it is', async () => {
    const { admin } = await newWorkspace(gateway);
    const body = bodyOf();
    const first = await admin.post(path, body);
    const { id } = first.body[kind];
    const taken = { status: 409, body: { code: 'CONFLICT', details: { existingId: id } } };
    expect(await admin.post(path, body)).toMatchObject(taken);
    // as it was without the option
    const { status, body: refused } = await admin.post(`/v2/${kind}s`, body);
    expect([status, refused.details]).toEqual([409, undefined]);
    await admin.delete(`/v2/${kind}s/${id}`);
    expect((await admin.post(path, body)).status).toBe(200);
  });

  it('is made once by many that begin together', async () => {
    const { admin } = await newWorkspace(gateway);
    const body = bodyOf();
    const answers = await Promise.all(Array.from({ length: 8 }, () => admin.post(path, body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)]);
    const ids = answers.map(({ body: { details, ...made } }) => details?.existingId ?? made[kind].id);
    expect(new Set(ids).size).toBe(1);
  });
});

it('a source with a name and a write key that are taken tells who has the name', async () => {
  const { admin } = await newWorkspace(gateway);
  const body = sourceBody({
    writeKey: uniqueName('key')
      .replaceAll(/[^\w-]/g, '-')
      .padEnd(20, '0')
      .slice(0, 64),
  });
  const { id } = await made(admin, 'source', body);
  const again = await admin.post('/v2/sources?uniqueName=true', body);
  expect(again).toMatchObject({ status: 409, body: { details: { existingId: id } } });
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
