import { beforeAll, describe, expect, it } from '@jest/globals';
import { uniqueName, until, within } from '@weir/testing';
import { newTransformation } from './support/code.js';
import { delivered, useHook } from './support/hook.js';
import { connect, intakeOf, newSource, newWebhook, sendEvent } from './support/inventory.js';
import { expectRefusal, expectText, KSUID, TIME } from './support/matchers.js';
import { made, newWorkspace, UNKNOWN_ID, type Workspace } from './support/workspace.js';

/** Five times the second in which a change is live (architecture section 7). The requests that show it are part of it. */
const LIVE_MS = 5_000;

const ADDRESS = 'https://hooks.example.com/in';

const hook = useHook();
let own: Workspace;
beforeAll(async () => {
  own = await newWorkspace();
});

describe('a source', () => {
  it('is made with an id and a write key, read, changed and gone after its delete with 404', async () => {
    const body = { name: uniqueName('shop'), type: 'Javascript', config: { nested: { list: [1] } } };
    const { source } = made(await own.writer.post('/v2/sources', body));
    expect(source).toMatchObject({ ...body, id: KSUID, writeKey: KSUID, enabled: true, workspaceId: own.id });
    expect(source).toMatchObject({ createdAt: TIME, updatedAt: TIME });
    const path = `/v2/sources/${source.id}`;
    expect(made(await own.reader.get(path))).toEqual({ source });
    const name = uniqueName('renamed');
    const changed = made(await own.writer.put(path, { ...source, name, writeKey: 'mine' })).source;
    expect(changed).toMatchObject({ id: source.id, name, writeKey: source.writeKey, config: body.config });
    expect((await own.writer.delete(path)).status).toBe(204);
    expectRefusal(await own.reader.get(path), 404, /source not found/);
    expectRefusal(await own.writer.put(path, { name }), 404);
    expectRefusal(await own.writer.delete(path), 404);
  });

  it('that is disabled takes no event within a second, and takes them again when enabled', async () => {
    const source = await newSource(own.writer);
    const status = async () => (await intakeOf(source).post('/v1/track', { userId: 'u', event: 'e' })).status;
    expect(await status()).toBe(200);
    await within(2 * LIVE_MS, async () => {
      made(await own.writer.put(`/v2/sources/${source.id}`, { enabled: false }));
      await until('the source to be disabled', async () => (await status()) === 404);
      made(await own.writer.put(`/v2/sources/${source.id}`, { enabled: true }));
      await until('the source to be enabled', async () => (await status()) === 200);
    });
  });

  it('that is deleted has no write key any more', async () => {
    const source = await newSource(own.writer);
    await own.writer.delete(`/v2/sources/${source.id}`);
    const send = () => intakeOf(source).post('/v1/track', { userId: 'u', event: 'e' });
    const answer = await until('the key to be gone', async () => {
      const sent = await send();
      return sent.status === 401 && sent;
    });
    expectText(answer, 401, 'invalid write key');
  });
});

describe('a destination', () => {
  it('is made, read, changed and gone after its delete with 404', async () => {
    const body = { name: uniqueName('hook'), type: 'WEBHOOK', config: { webhookUrl: ADDRESS, webhookMethod: 'PUT' } };
    const { destination } = made(await own.writer.post('/v2/destinations', body));
    expect(destination).toMatchObject({ ...body, id: KSUID, enabled: true, workspaceId: own.id, createdAt: TIME });
    const path = `/v2/destinations/${destination.id}`;
    expect(made(await own.reader.get(path))).toEqual({ destination: { ...destination, transformationId: null } });
    const changed = made(await own.writer.put(path, { ...destination, enabled: false })).destination;
    expect(changed).toMatchObject({ ...destination, enabled: false, status: 'disabled', updatedAt: TIME });
    expect((await own.writer.delete(path)).status).toBe(204);
    expectRefusal(await own.reader.get(path), 404, /destination not found/);
    expectRefusal(await own.writer.delete(path), 404);
  });

  it('gives its configuration back as it was, unknown keys too', async () => {
    const config = { headers: [], deletionUrl: 'https://hooks.example.com/{userId}', ours: { deep: [null, 1.5, 'ü'] } };
    const { id } = await newWebhook(own.writer, ADDRESS, { config });
    const { destination } = made(await own.admin.get(`/v2/destinations/${id}`));
    expect(destination.config).toEqual({ webhookUrl: ADDRESS, ...config });
  });

  it('shows its secrets to admins only, and keeps one that comes back masked', async () => {
    const headers = [{ from: 'authorization', to: 'hush-1' }];
    const { id } = await newWebhook(own.writer, ADDRESS, { config: { headers } });
    const path = `/v2/destinations/${id}`;
    const masked = [{ from: 'authorization', to: '***' }];
    for (const client of [own.reader, own.writer]) {
      const { destination } = made(await client.get(path));
      expect(destination.config.headers).toEqual(masked);
      expect((await client.get('/v2/destinations')).text).not.toContain('hush-1');
    }
    expect(made(await own.admin.get(path)).destination.config.headers).toEqual(headers);
    made(await own.writer.put(path, { config: { webhookUrl: ADDRESS, webhookMethod: 'PUT', headers: masked } }));
    expect(made(await own.admin.get(path)).destination.config).toMatchObject({ webhookMethod: 'PUT', headers });
  });

  it('without its required settings is saved, and receives events from the moment that it has them', async () => {
    const body = { name: uniqueName('hook'), type: 'WEBHOOK', config: {} };
    const { destination } = made(await own.writer.post('/v2/destinations', body));
    expect(destination).toMatchObject({ enabled: true, status: 'incomplete', missing: ['webhookUrl'] });
    const source = await newSource(own.writer);
    await connect(own.writer, source, destination);
    const config = { webhookUrl: `${hook.url}/completed`, webhookMethod: 'POST' };
    const completed = made(await own.writer.put(`/v2/destinations/${destination.id}`, { config })).destination;
    expect(completed).toMatchObject({ enabled: true, status: 'ready' });
    await sendEvent(source, 'track', { userId: 'ada', event: 'Bought', messageId: 'completed' });
    await delivered(hook, '/completed', 'completed');
  });

  const bad: [string, object][] = [
    ['type', { type: 'CARRIER_PIGEON' }],
    ['name', { name: '' }],
    ['enabled', { enabled: 1 }],
    ['config', { config: 'text' }],
    ['config.webhookUrl', { config: { webhookUrl: 'gopher://example.com' } }],
    ['config.webhookMethod', { config: { webhookUrl: ADDRESS, webhookMethod: 'TRACE' } }],
  ];
  it.each(bad)('is refused with a message that names %s: %j', async (field, fields) => {
    const body = { name: uniqueName('hook'), type: 'WEBHOOK', config: { webhookUrl: ADDRESS }, ...fields };
    const answer = await own.writer.post('/v2/destinations', body);
    expectRefusal(answer, 400);
    expect(Object.keys(answer.body.details)).toEqual([field]);
    expect(answer.body.message).toContain(field);
  });
});

describe('a connection', () => {
  it('is made, read, changed and gone after its delete with 404', async () => {
    const source = await newSource(own.writer);
    const destination = await newWebhook(own.writer, ADDRESS);
    const body = { sourceId: source.id, destinationId: destination.id };
    const { connection } = made(await own.writer.post('/v2/connections', body));
    expect(connection).toMatchObject({ ...body, id: KSUID, enabled: true, createdAt: TIME, updatedAt: TIME });
    const path = `/v2/connections/${connection.id}`;
    expect(made(await own.reader.get(path))).toEqual({ connection });
    expect(made(await own.writer.put(path, { enabled: false })).connection.enabled).toBe(false);
    expect((await own.writer.delete(path)).status).toBe(204);
    expectRefusal(await own.reader.get(path), 404, /connection not found/);
  });

  it('is there once for a pair; asking again with an external id is 409', async () => {
    const [source, destination] = [await newSource(own.writer), await newWebhook(own.writer, ADDRESS)];
    const { id } = await connect(own.writer, source, destination);
    expect((await connect(own.writer, source, destination)).id).toBe(id);
    const body = { sourceId: source.id, destinationId: destination.id, externalId: 'x' };
    expectRefusal(await own.writer.post('/v2/connections', body), 409, /already exists/);
  });

  it('is refused with a message that names the end that is missing or unknown', async () => {
    const [source, destination] = [await newSource(own.writer), await newWebhook(own.writer, ADDRESS)];
    const [sourceId, destinationId] = [source.id, destination.id];
    const send = (body: object) => own.writer.post('/v2/connections', body);
    expectRefusal(await send({ destinationId }), 400, /sourceId/);
    expectRefusal(await send({ sourceId }), 400, /destinationId/);
    expectRefusal(await send({ sourceId: UNKNOWN_ID, destinationId }), 400, /sourceId/);
    expectRefusal(await send({ sourceId, destinationId: UNKNOWN_ID }), 400, /destinationId/);
  });

  it('goes when one of its ends is deleted', async () => {
    const [source, destination] = [await newSource(own.writer), await newWebhook(own.writer, ADDRESS)];
    const { id } = await connect(own.writer, source, destination);
    await own.writer.delete(`/v2/destinations/${destination.id}`);
    expectRefusal(await own.reader.get(`/v2/connections/${id}`), 404);
  });
});

describe('the lists', () => {
  it('come in pages of fifty in order of creation, and the last has no next', async () => {
    const { writer } = await newWorkspace();
    const ids: string[] = [];
    for (let n = 0; n < 52; n++) ids.push((await newSource(writer)).id);
    const first = made(await writer.get('/v2/sources'));
    expect(first.paging).toEqual({ total: 52, next: '/v2/sources?page=2' });
    const last = made(await writer.get(first.paging.next));
    expect(last.paging).toEqual({ total: 52 });
    expect([...first.sources, ...last.sources].map(({ id }: { id: string }) => id)).toEqual(ids);
  });

  it('of a new workspace are empty', async () => {
    const { reader } = await newWorkspace();
    for (const kind of ['sources', 'destinations', 'connections']) {
      expect(made(await reader.get(`/v2/${kind}`))).toEqual({ [kind]: [], paging: { total: 0 } });
    }
  });

  it.each(['sources', 'destinations', 'connections'])('of %s refuse a page that is no number', async (kind) => {
    for (const page of ['0', '-1', 'x', '1.5']) {
      expectRefusal(await own.reader.get(`/v2/${kind}`, { query: { page } }), 400, /page/);
    }
  });
});

describe('names', () => {
  it.each(['sources', 'destinations'])(
    'of %s are unique in a workspace, with 409, and free in another',
    async (kind) => {
      const other = await newWorkspace();
      const fields = kind === 'sources' ? { type: 'HTTP' } : { type: 'WEBHOOK', config: { webhookUrl: ADDRESS } };
      const body = { ...fields, name: uniqueName('taken') };
      made(await own.writer.post(`/v2/${kind}`, body));
      expectRefusal(await own.writer.post(`/v2/${kind}`, body), 409, /name/);
      made(await other.writer.post(`/v2/${kind}`, body));
    },
  );
});

describe('the transformation of a destination', () => {
  it('is put, read, replaced and removed', async () => {
    const { id: destinationId } = await newWebhook(own.writer, `${hook.url}/linked`);
    const path = `/v2/destinations/${destinationId}/transformation`;
    expectRefusal(await own.reader.get(path), 404);
    const first = await newTransformation(own.writer);
    const second = await newTransformation(own.writer);
    const link = (transformationId: string) => ({ destinationId, transformationId, createdAt: TIME, updatedAt: TIME });
    expect(made(await own.writer.put(path, { transformationId: first.id }))).toEqual(link(first.id));
    const replaced = { destinationId, transformationId: first.id, name: first.name };
    expect(made(await own.writer.put(path, { transformationId: second.id }))).toEqual({ ...link(second.id), replaced });
    expect(made(await own.reader.get(path))).toEqual(link(second.id));
    const shown = async () => made(await own.reader.get(`/v2/destinations/${destinationId}`)).destination;
    expect(await shown()).toMatchObject({ transformationId: second.id });
    expect(made(await own.reader.get(`/transformations/${second.id}`)).destinations).toEqual([destinationId]);
    expect(made(await own.reader.get(`/transformations/${first.id}`)).destinations).toEqual([]);
    expect(made(await own.writer.delete(path))).toEqual(link(second.id));
    expectRefusal(await own.writer.delete(path), 404);
    expect(await shown()).toMatchObject({ transformationId: null });
  });

  it('cannot be a draft or unknown', async () => {
    const { id } = await newWebhook(own.writer, ADDRESS);
    const path = `/v2/destinations/${id}/transformation`;
    const draft = await newTransformation(own.writer, undefined, {}, { publish: false });
    for (const transformationId of [draft.id, UNKNOWN_ID, 'x']) {
      expectRefusal(await own.writer.put(path, { transformationId }), 400, /transformationId/);
    }
  });
});

it('the workspace is the one of the token', async () => {
  const { workspace, caller } = made(await own.reader.get('/v2/workspace'));
  expect(workspace).toMatchObject({ id: own.id, name: expect.any(String) });
  expect(caller).toEqual({ email: expect.stringContaining('@'), role: 'read-only' });
});

describe('the destination definitions', () => {
  it('are a bare list, with the names of the configuration variables', async () => {
    const list = made(await own.reader.get('/destination-definitions'));
    const webhook = list.find(({ name }: { name: string }) => name === 'WEBHOOK');
    expect(webhook.config.destConfig.defaultConfig).toEqual(['webhookUrl', 'webhookMethod', 'headers']);
    expect(made(await own.reader.get('/destination-definitions/WEBHOOK'))).toEqual(webhook);
    for (const { config } of list) expect(config.destConfig.defaultConfig).toEqual(expect.any(Array));
  });

  it('answer 404 for a name that is none', async () => {
    expectRefusal(await own.reader.get('/destination-definitions/CARRIER_PIGEON'), 404);
  });
});
