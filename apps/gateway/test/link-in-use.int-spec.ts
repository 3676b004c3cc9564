import { expect, it } from '@jest/globals';
import { GetLink, ListDefinitions, ListUsedVersions } from '@weir/contracts';
import { clientOf } from './client.js';
import { newDestination } from './inventory-fixtures.js';
import { useGateway } from './running-gateway.js';
import { useStub } from './stub-services.js';
import { webhookDefinition } from './webhook-definition.js';

const gateway = useGateway();
const { nats } = gateway;
const link = GetLink.reply.parse(GetLink.example.reply);
const { deliverers } = ListUsedVersions.reply.parse(ListUsedVersions.example.reply);
useStub(nats, ListDefinitions, () => ({ definitions: [webhookDefinition] }));
useStub(nats, GetLink, () => link);
let known = deliverers;
const used = useStub(nats, ListUsedVersions, () => ({ deliverers: known }));

it('a link shows the version that each deliverer last used, as long as somebody knows', async () => {
  const client = clientOf(gateway);
  const { id } = await newDestination(client);
  const path = `/v2/destinations/${id}/transformation`;
  expect((await client.get(path)).body).toEqual({ ...link, deliverers });
  expect(used.requests.at(-1)).toMatchObject({ destinationId: id });
  known = [];
  expect((await client.get(path)).body).toEqual(link);
  await used.leave();
  const answer = await client.get(path);
  expect([answer.status, answer.body]).toEqual([200, link]);
});
