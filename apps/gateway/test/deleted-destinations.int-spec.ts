import { expect, it } from '@jest/globals';
import { FindDeletedDestinations, ListDefinitions } from '@weir/contracts';
import { newKsuid } from '@weir/service-kit';
import { PatientRpcClient, uniqueName } from '@weir/testing';
import { clientOf } from './client.js';
import { useGateway } from './running-gateway.js';
import { useStub } from './stub-services.js';
import { webhookDefinition } from './webhook-definition.js';

const gateway = useGateway();
useStub(gateway.nats, ListDefinitions, () => ({ definitions: [webhookDefinition] }));

const ask = async (destinationIds: string[]) =>
  (await new PatientRpcClient(gateway.nats.connection).send(FindDeletedDestinations, { destinationIds })).deleted;

async function created(): Promise<string> {
  const config = { webhookUrl: 'https://example.com/hook' };
  const body = { name: uniqueName('hook'), type: 'WEBHOOK', config };
  return (await clientOf(gateway).post('/v2/destinations', body)).body.destination.id;
}

it('names those that the database does not have, whatever the bucket says', async () => {
  const [kept, deleted, lost, unknown] = [await created(), await created(), await created(), newKsuid()];
  await clientOf(gateway).delete(`/v2/destinations/${deleted}`);
  await gateway.remove('destination', lost);
  expect(await ask([kept, deleted, lost, unknown])).toEqual([deleted, unknown]);
});

it('refuses a malformed request', async () => {
  await expect(ask(['no id'])).rejects.toMatchObject({ code: 'invalid' });
  await expect(ask([])).rejects.toMatchObject({ code: 'invalid' });
});
