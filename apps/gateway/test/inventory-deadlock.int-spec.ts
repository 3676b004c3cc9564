import { expect, it } from '@jest/globals';
import { ListDefinitions } from '@weir/contracts';
import { until, waitingForLocks } from '@weir/testing';
import { clientOf } from './client.js';
import { destinationBody, made, sourceBody } from './inventory-fixtures.js';
import { useGateway } from './running-gateway.js';
import { useStub } from './stub-services.js';
import { webhookDefinition } from './webhook-definition.js';

const gateway = useGateway();
useStub(gateway.nats, ListDefinitions, () => ({ definitions: [webhookDefinition] }));

it('a destination is deleted while its connection is updated, although each waits for the other', async () => {
  const client = clientOf(gateway);
  const { id: sourceId } = await made(client, 'source', sourceBody());
  const { id: destinationId } = await made(client, 'destination', destinationBody());
  const { id } = await made(client, 'connection', { sourceId, destinationId });
  const { dataSource } = gateway.database;
  const waiting = async () => waitingForLocks(dataSource);
  const holder = dataSource.createQueryRunner();
  await holder.startTransaction();
  await holder.query('SELECT FROM sources WHERE id = $1 FOR UPDATE', [sourceId]);
  const updated = client.put(`/v2/connections/${id}`, { enabled: false }); // has the connection, waits for its source
  await until('the update to wait', async () => (await waiting()) === 1);
  const deleted = client.delete(`/v2/destinations/${destinationId}`); // has the destination, waits for the connection
  await until('the deletion to wait', async () => (await waiting()) === 2);
  await holder.commitTransaction();
  await holder.release();
  expect((await deleted).status).toBe(204);
  expect([200, 404]).toContain((await updated).status);
});
