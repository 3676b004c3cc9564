import { expect, it } from '@jest/globals';
import { ListModels } from '@weir/contracts';
import { clientOf } from './client.js';
import { ADMIN, startGateway, useGateway } from './running-gateway.js';
import { useStub } from './stub-services.js';

const MODELS = '/schemas/event-models';

const gateway = useGateway();
useStub(gateway.nats, ListModels, ({ workspaceId }) => ({ workspaceId, models: [] }));

it('a restart with another admin pair ends the old one', async () => {
  expect((await clientOf(gateway, 'admin').get(MODELS)).status).toBe(200);
  await gateway.app.close();
  const password = 'fresh:password';
  const { database, nats } = gateway;
  const after = await startGateway({
    DATABASE_URL: database.url,
    NATS_URL: nats.url,
    SERVICE_ADMIN_PASSWORD: password,
  });
  try {
    const restarted = { ...gateway, url: after.url };
    const old = await clientOf(restarted, 'admin').get(MODELS);
    expect([old.status, old.body]).toEqual([400, { msg: 'Invalid admin credentials' }]);
    expect((await clientOf(restarted, { user: ADMIN.user, password }).get(MODELS)).status).toBe(200);
  } finally {
    await after.app.close();
  }
});
