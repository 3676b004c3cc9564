import { expect, it } from '@jest/globals';
import { ListDefinitions } from '@weir/contracts';
import { newKsuid } from '@weir/service-kit';
import { INVENTORY_BYTES_MAX } from '../src/inventory/inventory.budget.js';
import { newWorkspace } from './client.js';
import { destinationBody, destinationConfig, made, sourceBody } from './inventory-fixtures.js';
import { useGateway } from './running-gateway.js';
import { useStub } from './stub-services.js';
import { webhookDefinition } from './webhook-definition.js';

const gateway = useGateway();
useStub(gateway.nats, ListDefinitions, () => ({ definitions: [webhookDefinition] }));

/** A destination of an earlier version, from before there was a budget. */
const occupy = (workspaceId: string, bytes: number) =>
  gateway.database.dataSource.run(
    `INSERT INTO destinations (workspace_id, id, name, type, enabled, sealed_config)
     VALUES ($1, $2, $2, 'WEBHOOK', true, repeat('x', $3))`,
    [workspaceId, newKsuid(), bytes],
  );

const longer = { ...destinationConfig, note: 'x'.repeat(20_000) };
const REFUSED = { status: 409, body: { message: expect.stringMatching(/shorten the config of destinations/) } };

it('a workspace takes no more bytes than its budget, even if many ask for the last ones at once', async () => {
  const { id, admin } = await newWorkspace(gateway);
  await occupy(id, INVENTORY_BYTES_MAX - 40_000);
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => admin.post('/v2/destinations', destinationBody({ config: longer }))),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)]);
  expect(answers.find(({ status }) => status === 409)).toMatchObject(REFUSED);
});

it('a workspace that is over its budget refuses what grows, and nothing else', async () => {
  const { id, admin } = await newWorkspace(gateway);
  const source = await made(admin, 'source', sourceBody());
  const destination = await made(admin, 'destination', destinationBody({ config: longer }));
  await occupy(id, INVENTORY_BYTES_MAX);
  const path = `/v2/destinations/${destination.id}`;
  expect(await admin.post('/v2/sources', sourceBody())).toMatchObject(REFUSED);
  expect(await admin.post('/v2/destinations', destinationBody())).toMatchObject(REFUSED);
  const ends = { sourceId: source.id, destinationId: destination.id };
  expect(await admin.post('/v2/connections', ends)).toMatchObject(REFUSED);
  expect(await admin.put(path, { config: { ...longer, more: 'x'.repeat(100) } })).toMatchObject(REFUSED);
  expect(await admin.put(path, { config: longer, enabled: false })).toMatchObject({ status: 200 });
  expect(await admin.put(path, { config: destinationConfig })).toMatchObject({ status: 200 });
  expect(await admin.put(`/v2/sources/${source.id}`, { enabled: false })).toMatchObject({ status: 200 });
  expect((await admin.delete(path)).status).toBe(204);
});
