import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { api, launchStack, removeStack } from '@weir/testing';
import { expectMsg } from './support/matchers.js';

/** The processes that answer area D. Others would only take time to start. */
const PROCESSES = ['gateway.main', 'schema-service.main'] as const;
const MODELS = '/schemas/event-models';

it('a restart with another admin pair ends the old one', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-admin-pair-'));
  const start = (user: string, password: string) => {
    const env = { SERVICE_ADMIN_USER: user, SERVICE_ADMIN_PASSWORD: password };
    return launchStack({ dataDir, processes: PROCESSES, env });
  };
  const before = await start('operator', 'leaked:password');
  const leaked = before.address.admin;
  expect((await api(before.address, 'admin').get(MODELS)).status).toBe(200);
  await before.stop();

  const after = await start('operator', 'fresh:password');
  try {
    const old = await api(after.address, { user: leaked.user, password: leaked.password }).get(MODELS);
    expectMsg(old, 400, 'Invalid admin credentials');
    expect((await api(after.address, { user: 'operator', password: 'fresh:password' }).get(MODELS)).status).toBe(200);
  } finally {
    await removeStack(after);
  }
});
