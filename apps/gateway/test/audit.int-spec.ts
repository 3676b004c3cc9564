import { describe, expect, it } from '@jest/globals';
import { AppendAudit, type AuditEntry, ListAudit, ListDefinitions } from '@weir/contracts';
import { until } from '@weir/testing';
import { clientOf, newWorkspace } from './client.js';
import { connect, newDestination, newSource } from './inventory-fixtures.js';
import { useGateway } from './running-gateway.js';
import { useStub } from './stub-services.js';
import { webhookDefinition } from './webhook-definition.js';

const gateway = useGateway();
const { nats } = gateway;
useStub(nats, ListDefinitions, () => ({ definitions: [webhookDefinition] }));
const trail = useStub(nats, AppendAudit, () => ({}));

const [entry] = ListAudit.example.reply.entries as AuditEntry[];
if (!entry) throw new Error('the example has one');
const list = useStub(nats, ListAudit, ({ after }) =>
  after === 0 ? { entries: [entry], next: 1 } : { entries: [{ ...entry, position: 2 }] },
);

/** The acts of a workspace once there are this many, as `<action> <actor>`. Each act counts once, however often it arrives. */
async function actsOf(workspaceId: string, count: number) {
  const acts = () => {
    const own = trail.requests.filter((act) => act.workspaceId === workspaceId);
    return [...new Map(own.map((act) => [act.actId, act])).values()];
  };
  await until(`${count} acts`, async () => acts().length >= count);
  return acts();
}

/** The acts with which the operator made the workspace of a test. */
const SETUP = ['workspace.created', ...Array(3).fill('access_token.created')].map((action) => [action, 'operator']);

describe('what people do', () => {
  it('is told to the audit trail in order, with who did it', async () => {
    const { id, admin, writer } = await newWorkspace(gateway);
    const [source, destination] = [await newSource(writer), await newDestination(writer)];
    const connection = await connect(writer, source.id, destination.id);
    await writer.put(`/v2/connections/${connection.id}`, { enabled: false });
    await writer.delete(`/v2/sources/${source.id}`);
    const token = (await admin.post('/v2/access-tokens', { name: 'ci', role: 'publish' })).body.accessToken;
    await clientOf(gateway, 'admin').delete(`/admin/access-tokens/${token.id}`);
    await clientOf(gateway, 'admin').patch(`/admin/workspaces/${id}`, { allowFetch: true });

    const acts = (await actsOf(id, SETUP.length + 9)).map(({ action, actor, details }) => [action, actor, details]);
    const person = 'tenant@example.com';
    expect(acts.slice(0, SETUP.length).map(([action, actor]) => [action, actor])).toEqual(SETUP);
    expect(acts.slice(SETUP.length)).toEqual([
      ['source.created', person, { id: source.id }],
      ['destination.created', person, { id: destination.id }],
      ['connection.created', person, { id: connection.id }],
      ['connection.changed', person, { id: connection.id }],
      ['connection.deleted', person, { id: connection.id }],
      ['source.deleted', person, { id: source.id }],
      ['access_token.created', person, { id: token.id, role: 'publish' }],
      ['access_token.revoked', 'operator', { id: token.id, role: 'publish' }],
      ['workspace.changed', 'operator', { id }],
    ]);
    const told = JSON.stringify(acts);
    for (const secret of [source.writeKey, token.token, 'example.com/hook']) expect(told).not.toContain(secret);
  });

  it('is no act if it is refused', async () => {
    const { id, writer } = await newWorkspace(gateway);
    await newSource(writer, { name: 'Once' });
    expect((await writer.post('/v2/sources', { name: 'Once', type: 'HTTP' })).status).toBe(409);
    await newSource(writer, { name: 'Twice' });
    const acts = await actsOf(id, SETUP.length + 2);
    expect(acts.map(({ action }) => action).slice(SETUP.length)).toEqual(['source.created', 'source.created']);
  });

  it('does not wait for the trail, which hears of it later', async () => {
    const { id, writer } = await newWorkspace(gateway);
    await actsOf(id, SETUP.length);
    await trail.leave();
    const source = await newSource(writer);
    await trail.join();
    expect((await actsOf(id, SETUP.length + 1)).at(-1)).toMatchObject({
      action: 'source.created',
      details: { id: source.id },
    });
  });
});

describe('GET /v2/audit', () => {
  it('answers the trail of the own workspace, page by page', async () => {
    const { id, tokenOf } = await newWorkspace(gateway);
    const privacy = await tokenOf('privacy');
    const first = await privacy.get('/v2/audit');
    expect(first).toMatchObject({ status: 200, body: { data: [entry], paging: { next: '/v2/audit?after_cursor=1' } } });
    const last = await privacy.get(first.body.paging.next);
    expect(last.body).toEqual({ data: [{ ...entry, position: 2 }], paging: {} });
    expect(list.requests.slice(-2)).toEqual([
      { workspaceId: id, after: 0 },
      { workspaceId: id, after: 1 },
    ]);
    expect((await privacy.get('/v2/audit?after_cursor=x')).status).toBe(400);
  });

  it('begins with the newest on request, and its next page goes on that way', async () => {
    const { id, admin } = await newWorkspace(gateway);
    const first = await admin.get('/v2/audit?order=desc');
    expect(first.body.paging).toEqual({ next: '/v2/audit?order=desc&after_cursor=1' });
    await admin.get(first.body.paging.next);
    expect(list.requests.slice(-2)).toEqual([
      { workspaceId: id, after: 0, order: 'desc' },
      { workspaceId: id, after: 1, order: 'desc' },
    ]);
    for (const order of ['DESC', 'newest', '']) {
      const refused = await admin.get(`/v2/audit?order=${order}`);
      expect([refused.status, Object.keys(refused.body.details)]).toEqual([400, ['order']]);
    }
  });

  it('is exported as JSON Lines, one entry a line', async () => {
    const { admin } = await newWorkspace(gateway);
    const answer = await admin.get('/v2/audit/export');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
    const lines = answer.text.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual([entry, { ...entry, position: 2 }]);
    expect((await admin.get('/v2/audit/export?after=1')).text.trimEnd().split('\n')).toHaveLength(1);
  });
});
