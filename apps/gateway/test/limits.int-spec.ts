import { expect, it } from '@jest/globals';
import { newKsuid } from '@weir/service-kit';
import { uniqueName } from '@weir/testing';
import { clientOf, newWorkspace } from './client.js';
import { useGateway } from './running-gateway.js';

const gateway = useGateway();

/** Requests at the same time for one last place. */
const AT_ONCE = 16;

const statusesOf = async (request: () => Promise<{ status: number }>) =>
  (await Promise.all(Array.from({ length: AT_ONCE }, request))).map(({ status }) => status).sort();

const filled = (sql: string, workspaceId: string, rows: number) =>
  gateway.database.dataSource.run(sql, [workspaceId, newKsuid().slice(0, 20), rows]);

it('a workspace has at most 1,000 live tokens, even if many ask for the last one at once', async () => {
  const { id: workspaceId } = await newWorkspace(gateway);
  await filled(
    `INSERT INTO access_tokens (workspace_id, id, email, name, role, token_hash)
     SELECT $1, $2 || n, 'a@example.com', 'n', 'admin', sha256(($2 || n)::bytea) FROM generate_series(1, $3::int) n`,
    workspaceId,
    996,
  );
  const body = { workspaceId, email: 'a@example.com', name: 'last', role: 'read-only' };
  const statuses = await statusesOf(() => clientOf(gateway, 'admin').post('/admin/access-tokens', body));
  expect(statuses).toEqual([201, ...Array(AT_ONCE - 1).fill(409)]);
});

it('a workspace has at most 10,000 sources, even if many ask for the last one at once', async () => {
  const { id, admin } = await newWorkspace(gateway);
  await filled(
    `INSERT INTO sources (workspace_id, id, name, type, write_key, enabled, config, geo_enrichment_enabled, transient)
     SELECT $1, $2 || n, $2 || n, 'HTTP', $2 || n, true, '{}', false, false FROM generate_series(1, $3::int) n`,
    id,
    9_999,
  );
  const statuses = await statusesOf(() => admin.post('/v2/sources', { name: uniqueName('source'), type: 'HTTP' }));
  expect(statuses).toEqual([200, ...Array(AT_ONCE - 1).fill(409)]);
});
