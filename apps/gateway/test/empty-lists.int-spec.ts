import { describe, expect, it } from '@jest/globals';
import { clientOf, newWorkspace } from './client.js';
import { useGateway } from './running-gateway.js';

const gateway = useGateway();

const LISTS = [
  '/v2/accounts',
  '/v2/accounts?page=1&hasExternalId=true',
  '/v2/event-stream-sources',
  '/v2/data-graphs',
  ...['events', 'properties', 'custom-types', 'categories', 'tracking-plans'].map(
    (kind) => `/v2/catalog/${kind}?page=1`,
  ),
  '/v2/retl-sources?sourceType=model',
  '/v2/retl-connections',
];

describe('lists of what there is none of', () => {
  it.each(LISTS)('%s is an empty last page', async (path) => {
    const { status, body } = await clientOf(gateway).get(path);
    expect([status, body.data, body.paging]).toEqual([200, [], { total: 0 }]);
    expect(body.currentPage * body.pageSize).toBeGreaterThanOrEqual(body.total);
  });

  it('are for tokens, read-only ones too', async () => {
    expect((await clientOf(gateway, 'nobody').get('/v2/accounts')).status).toBe(401);
    expect((await (await newWorkspace(gateway)).reader.get('/v2/accounts')).status).toBe(200);
  });

  it('take nothing in, and other kinds are unknown', async () => {
    expect((await clientOf(gateway).get('/v2/catalog/others')).status).toBe(404);
    expect((await clientOf(gateway).post('/v2/accounts', {})).status).toBe(405);
  });
});
