import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, it } from '@jest/globals';
import { CreateRegulation, ListDefinitions } from '@weir/contracts';
import { newKsuid } from '@weir/service-kit';
import { type Answer, until } from '@weir/testing';
import { clientOf, newWorkspace } from './client.js';
import { connect, newDestination, newSource } from './inventory-fixtures.js';
import { useGateway } from './running-gateway.js';
import { useStub } from './stub-services.js';
import { webhookDefinition } from './webhook-definition.js';

const gateway = useGateway();
useStub(gateway.nats, ListDefinitions, () => ({ definitions: [webhookDefinition] }));
const created = useStub(gateway.nats, CreateRegulation, ({ users }) => ({ ids: users.map(() => randomUUID()) }));

const ROWS = 40;
const LARGE = 250_000;
/** More lists at once than the memory of a workspace has room for. */
const AT_ONCE = 60;

const fill = (workspaceId: string) =>
  gateway.database.dataSource.run(
    `INSERT INTO sources (workspace_id, id, name, type, write_key, enabled, config, geo_enrichment_enabled, transient)
     SELECT $1, $2 || n, $2 || n, 'HTTP', $2 || n, true, json_build_object('note', repeat('x', $3)), false, false
     FROM generate_series(10, $4::int) n`,
    [workspaceId, newKsuid().slice(0, 25), LARGE, ROWS + 9],
  );

/** Asks, and reads nothing but refusals. */
async function ask(token: string) {
  const headers = { authorization: `Bearer ${token}` };
  const request = get(`${gateway.url}/v2/sources`, { headers, agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.on('error', () => undefined);
  const refusal = response.statusCode === 200 ? undefined : await text(response);
  return { refusal, leave: () => request.destroy() };
}

it('a page of large objects is whole, and only so many are answered at once', async () => {
  const { id, admin } = await newWorkspace(gateway);
  await fill(id);
  const whole = await admin.get('/v2/sources');
  expect([whole.body.sources.length, whole.body.paging]).toEqual([ROWS, { total: ROWS }]);
  const body = { name: 'reader', role: 'read-only' };
  const { token } = (await admin.post('/v2/access-tokens', body)).body.accessToken;
  const asked = await Promise.all(Array.from({ length: AT_ONCE }, () => ask(token)));
  const refusals = asked.flatMap(({ refusal }) => refusal ?? []);
  expect(refusals.length).toBeGreaterThan(0);
  expect(refusals.length).toBeLessThan(AT_ONCE);
  for (const refusal of refusals) expect(refusal).toMatch(/too many lists with large configurations at once/);
  expect((await clientOf(gateway).get('/v2/sources')).status).toBe(200);
  for (const { leave } of asked) leave();
  await until('room again', async () => (await admin.get('/v2/sources')).status === 200);
});

it('tells a browser of as many destinations as fit', async () => {
  const { admin } = await newWorkspace(gateway);
  const source = await newSource(admin);
  for (let n = 0; n < 6; n += 1) {
    const whitelistedEvents = [{ eventName: 'x'.repeat(100_000) }];
    const config = { webhookUrl: 'https://example.com', whitelistedEvents };
    const { id } = await newDestination(admin, { config });
    await connect(admin, source.id, id);
  }
  const answer: Answer = await clientOf(gateway, 'nobody').get(`/sourceConfig?writeKey=${source.writeKey}`);
  expect(JSON.parse(answer.text).source.destinations.length).toBe(2);
});

it('a deletion names all destinations, however large', async () => {
  const { admin } = await newWorkspace(gateway);
  const ids: string[] = [];
  for (let n = 0; n < 4; n += 1) {
    const config = { webhookUrl: 'https://example.com', note: 'x'.repeat(150_000) };
    ids.push((await newDestination(admin, { config })).id);
  }
  const named = async (fields: object) => {
    const body = { regulationType: 'suppress_with_delete', users: [{ userId: 'u' }], ...fields };
    expect((await admin.post('/v2/regulations', body)).status).toBe(201);
    return created.requests.at(-1)?.destinations.map(({ id }) => id);
  };
  expect(await named({})).toEqual(ids);
  expect(await named({ destinationIds: ids.toReversed() })).toEqual(ids.toReversed());
});
