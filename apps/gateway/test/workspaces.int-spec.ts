import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  CreateLibrary,
  CreateTransformation,
  ListCredentials,
  ListDefinitions,
  PublishRelease,
  RollbackTransformation,
  TestDestination,
  TestRelease,
} from '@weir/contracts';
import { InventoryMirror } from '@weir/inventory';
import { until } from '@weir/testing';
import { clientOf, newWorkspace } from './client.js';
import { newDestination } from './inventory-fixtures.js';
import { useGateway } from './running-gateway.js';
import { useStub } from './stub-services.js';
import { webhookDefinition } from './webhook-definition.js';

const gateway = useGateway();
const { nats } = gateway;
useStub(nats, ListCredentials, () => ({ credentials: [] }));
useStub(nats, ListDefinitions, () => ({ definitions: [webhookDefinition] }));

/** All calls that may run user code. */
const [create, library, publish, test, rollback, tryOut] = [
  useStub(nats, CreateTransformation, () => CreateTransformation.reply.parse(CreateTransformation.example.reply)),
  useStub(nats, CreateLibrary, () => CreateLibrary.reply.parse(CreateLibrary.example.reply)),
  useStub(nats, PublishRelease, () => PublishRelease.reply.parse(PublishRelease.example.reply)),
  useStub(nats, TestRelease, () => TestRelease.reply.parse(TestRelease.example.reply)),
  useStub(nats, RollbackTransformation, () => RollbackTransformation.reply.parse(RollbackTransformation.example.reply)),
  useStub(nats, TestDestination, () => TestDestination.reply.parse(TestDestination.example.reply)),
];

/** The bucket as a deliverer sees it. */
let mirror: InventoryMirror;
beforeAll(async () => {
  mirror = new InventoryMirror(gateway.nats.connection, { warn: () => {} });
  await mirror.start();
});
afterAll(() => mirror?.stop());

const allow = (id: string, allowFetch: unknown) =>
  clientOf(gateway, 'admin').patch(`/admin/workspaces/${id}`, { allowFetch });

describe('fetch of user code', () => {
  it('is off until the operator allows it, for deliverers too, and can be taken back', async () => {
    const { id, reader } = await newWorkspace(gateway);
    const shown = async () => (await reader.get('/v2/workspace')).body.workspace.allowFetch;
    expect([await shown(), mirror.allowsFetch(id)]).toEqual([false, false]);
    for (const allowFetch of [true, true, false]) {
      const { status, body } = await allow(id, allowFetch);
      expect([status, body.workspace]).toEqual([200, expect.objectContaining({ id, allowFetch, name: 'Tenant' })]);
      expect(await shown()).toBe(allowFetch);
      await until('the mirror to know', () => mirror.allowsFetch(id) === allowFetch);
    }
    const { workspaces } = (await clientOf(gateway, 'admin').get('/admin/workspaces')).body;
    expect(workspaces).toContainEqual(expect.objectContaining({ id, allowFetch: false }));
  });

  it('is said to whoever runs code for the workspace', async () => {
    const { id, writer } = await newWorkspace(gateway);
    const code = 'export const transformEvent = (event) => event;';
    const versionId = '0uk1Hbc9dQ9pxyTqJ93IUrfhdGq';
    const body = { transformations: [{ versionId }] };
    const destination = await newDestination(writer);
    for (const allowFetch of [true, false]) {
      await allow(id, allowFetch);
      await writer.post('/transformations?publish=true', { name: 'T', code });
      await writer.post('/libraries?publish=true', { name: 'L', code });
      await writer.post('/transformations/libraries/publish', body);
      await writer.post('/transformations/tests/run', body);
      await writer.post(`/transformations/${versionId}/rollback`, { versionId });
      await writer.post(`/v0/testDestination/${destination.id}`, { message: { type: 'track' } });
      const runs = [create, library, publish, test, rollback, tryOut].map(({ requests }) => requests.at(-1));
      expect(runs.map((request) => request?.allowFetch)).toEqual(Array(6).fill(allowFetch));
    }
  });

  it('is not for tokens to allow', async () => {
    const { id, admin } = await newWorkspace(gateway);
    expect((await admin.patch(`/admin/workspaces/${id}`, { allowFetch: true })).status).toBe(401);
  });

  it.each([undefined, null, 'true', 1])('cannot be set to %j', async (allowFetch) => {
    const { id } = await newWorkspace(gateway);
    const answer = await allow(id, allowFetch);
    expect([answer.status, Object.keys(answer.body.details)]).toEqual([400, ['allowFetch']]);
  });

  it('of an unknown workspace is not found', async () => {
    for (const id of ['0ujtsYcgvSTl8PAuAdqWYSMnLOv', 'none']) {
      expect(await allow(id, true)).toMatchObject({ status: 404, body: { message: 'workspace not found' } });
    }
  });
});
