import { describe, expect, it } from '@jest/globals';
import { GetLink, ListDefinitions, notFound } from '@weir/contracts';
import { newWorkspace } from './client.js';
import { madePair } from './inventory-fixtures.js';
import { useGateway } from './running-gateway.js';
import { useStub } from './stub-services.js';
import { webhookDefinition } from './webhook-definition.js';

const gateway = useGateway();
useStub(gateway.nats, ListDefinitions, () => ({ definitions: [webhookDefinition] }));
useStub(gateway.nats, GetLink, () => {
  throw notFound('transformation of the destination');
});

const KINDS = ['source', 'destination', 'connection'] as const;

/** A new object, with clients of its workspace. */
async function newObject(kind: (typeof KINDS)[number]) {
  const { admin, writer } = await newWorkspace(gateway);
  const { id } = (await madePair(admin))[kind];
  const path = `/v2/${kind}s/${id}`;
  const tag = async () => (await admin.get(path)).headers.get('etag') ?? 'there is none';
  return { admin, writer, path, tag };
}

describe('an entity tag', () => {
  it.each(KINDS)('of a %s is that of every view of it', async (kind) => {
    const { admin, writer, path, tag } = await newObject(kind);
    const first = await tag();
    expect(first).toMatch(/^"[\w-]{16}"$/);
    const seen = async () => {
      const list = await admin.get(`/v2/${kind}s?etags=true`);
      return [(await writer.get(path)).headers.get('etag'), list.body[`${kind}s`][0].etag, await tag()];
    };
    expect(new Set(await seen())).toEqual(new Set([first]));
    const changed = await admin.put(path, { enabled: false }, { headers: { 'if-match': `"old", ${first}` } });
    const { status, headers, body } = changed;
    expect([status, headers.get('etag') === first, 'etag' in body[kind]]).toEqual([200, false, false]);
    expect(new Set(await seen())).toEqual(new Set([headers.get('etag')]));
    expect((await admin.get(`/v2/${kind}s`)).body[`${kind}s`][0]).not.toHaveProperty('etag');
  });

  it.each(KINDS)('that is stale lets no change of a %s pass', async (kind) => {
    const { admin, path, tag } = await newObject(kind);
    const stale = await tag();
    await admin.put(path, { enabled: false });
    for (const value of [stale, `W/${await tag()}`]) {
      const headers = { 'if-match': value };
      const message = `The ${kind} has changed since you read it. Read it again, then repeat the change`;
      const refused = { status: 412, body: { code: 'PRECONDITION_FAILED', message } };
      expect(await admin.put(path, { enabled: true }, { headers })).toMatchObject(refused);
      expect(await admin.delete(path, { headers })).toMatchObject(refused);
    }
    const malformed = await admin.put(path, {}, { headers: { 'if-match': 'old' } });
    expect(malformed).toMatchObject({ status: 400, body: { details: { 'If-Match': expect.any(String) } } });
    expect((await admin.get(path)).body[kind].enabled).toBe(false);
    expect((await admin.put(path, {}, { headers: { 'if-match': '*' } })).status).toBe(200);
    expect((await admin.delete(path, { headers: { 'if-match': await tag() } })).status).toBe(204);
  });

  it('lets one of many changes through, and each change has a tag of its own', async () => {
    const { admin, path, tag } = await newObject('source');
    const headers = { 'if-match': await tag() };
    const change = (n: number, options = {}) => admin.put(path, { config: { n } }, options);
    const rivals = await Promise.all(Array.from({ length: 10 }, (_, n) => change(n, { headers })));
    expect(rivals.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(412)]);
    const changes = await Promise.all(Array.from({ length: 20 }, (_, n) => change(n)));
    expect(new Set(changes.map((one) => one.headers.get('etag'))).size).toBe(20);
  });

  it('of a source saves sending it again, and that of a destination does not cover its transformation', async () => {
    for (const [kind, status] of [
      ['source', 304],
      ['destination', 200],
    ] as const) {
      const { admin, path, tag } = await newObject(kind);
      expect((await admin.get(path, { headers: { 'if-none-match': await tag() } })).status).toBe(status);
    }
  });

  it('is asked for on every page of a list', async () => {
    const { admin } = await newWorkspace(gateway);
    for (let n = 0; n < 51; n += 1) await admin.post('/v2/sources', { name: `s${n}`, type: 'HTTP' });
    const { paging } = (await admin.get('/v2/sources?etags=true')).body;
    expect(paging.next).toBe('/v2/sources?page=2&etags=true');
    expect((await admin.get(paging.next)).body.sources[0].etag).toEqual(expect.any(String));
  });
});
