import { describe, expect, it } from '@jest/globals';
import {
  CreateTransformation,
  DeleteCredential,
  ListCredentials,
  notFound,
  PutCredential,
  type StoredCredential,
} from '@weir/contracts';
import { clientOf, newWorkspace } from './client.js';
import { useGateway } from './running-gateway.js';
import { useStub } from './stub-services.js';

const gateway = useGateway();
const { nats } = gateway;

/** The registry's stored credentials, by workspace. */
const kept = new Map<string, StoredCredential[]>();
const at = '2026-01-01T00:00:00.000Z';
const put = useStub(nats, PutCredential, ({ workspaceId, ...credential }) => {
  const stored = { ...credential, createdAt: at, updatedAt: at };
  const others = (kept.get(workspaceId) ?? []).filter(({ key }) => key !== stored.key);
  kept.set(workspaceId, [...others, stored]);
  return stored;
});
useStub(nats, ListCredentials, ({ workspaceId }) => ({ credentials: kept.get(workspaceId) ?? [] }));
useStub(nats, DeleteCredential, ({ workspaceId, key }) => {
  const own = kept.get(workspaceId) ?? [];
  if (!own.some((one) => one.key === key)) throw notFound('credential');
  kept.set(
    workspaceId,
    own.filter((one) => one.key !== key),
  );
  return {};
});
const create = useStub(nats, CreateTransformation, () =>
  CreateTransformation.reply.parse(CreateTransformation.example.reply),
);

const VALUE = 'tok-4f1f0c2a';

describe('credentials', () => {
  it('are sealed, and a secret is never shown again', async () => {
    const client = clientOf(gateway);
    const answer = await client.put('/v2/credentials/crm.token', { value: VALUE });
    expect(answer.status).toBe(200);
    const credential = {
      key: 'crm.token',
      isSecret: true,
      createdBy: 'owner@example.com',
      createdAt: at,
      updatedAt: at,
    };
    expect(answer.body).toEqual({ credential });
    expect((await client.get('/v2/credentials/crm.token')).body).toEqual({ credential });
    expect((await client.get('/v2/credentials')).body).toEqual({ credentials: [credential] });
    expect(JSON.stringify(put.requests)).not.toContain(VALUE);
  });

  it('that are no secrets show their value', async () => {
    const client = clientOf(gateway);
    await client.put('/v2/credentials/region', { value: 'eu', isSecret: false });
    expect((await client.get('/v2/credentials/region')).body.credential).toMatchObject({
      value: 'eu',
      isSecret: false,
    });
    expect((await client.delete('/v2/credentials/region')).status).toBe(204);
    expect((await client.delete('/v2/credentials/region')).status).toBe(404);
    expect((await client.get('/v2/credentials/region')).status).toBe(404);
  });

  it('go with code that is run, and not with a draft', async () => {
    const client = clientOf(gateway);
    const body = { name: 'T', code: 'x' };
    await client.put('/v2/credentials/crm.token', { value: VALUE });
    await client.post('/transformations', body);
    expect(create.requests.at(-1)).not.toHaveProperty('credentials');
    await client.post('/transformations?publish=true', body);
    expect(create.requests.at(-1)?.credentials).toEqual([{ key: 'crm.token', value: VALUE }]);
    const { admin } = await newWorkspace(gateway);
    await admin.post('/transformations?publish=true', body);
    expect(create.requests.at(-1)?.credentials).toEqual([]);
  });

  it('that another key has sealed ask to be put again', async () => {
    const { admin, id } = await newWorkspace(gateway);
    const lost = {
      key: 'lost',
      isSecret: true,
      sealedValue: 'v1.00000000.AAAA',
      createdBy: 'a',
      createdAt: at,
      updatedAt: at,
    };
    kept.set(id, [lost]);
    const answer = await admin.post('/transformations?publish=true', { name: 'T', code: 'x' });
    expect([answer.status, answer.body.message]).toEqual([409, expect.stringContaining('credential lost')]);
    expect((await admin.get('/v2/credentials')).status).toBe(200);
    await admin.put('/v2/credentials/lost', { value: 'found' });
    expect((await admin.post('/transformations?publish=true', { name: 'T', code: 'x' })).status).toBe(200);
  });

  it.each([
    ['a b', { value: 'x' }, 404],
    ['x'.repeat(129), { value: 'x' }, 404],
    ['ok', {}, 400],
    ['ok', { value: '' }, 400],
    ['ok', { value: 'x'.repeat(16_385) }, 400],
    ['ok', { value: 1 }, 400],
  ])('under %j with %j are refused', async (key, body, status) => {
    expect((await clientOf(gateway).put(`/v2/credentials/${encodeURIComponent(key)}`, body)).status).toBe(status);
  });

  it('are not changed by a read-only token', async () => {
    const { reader } = await newWorkspace(gateway);
    expect((await reader.put('/v2/credentials/a', { value: 'x' })).status).toBe(403);
    expect((await reader.delete('/v2/credentials/a')).status).toBe(403);
    expect((await reader.get('/v2/credentials')).status).toBe(200);
  });
});
