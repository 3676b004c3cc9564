import { tmpdir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type LocalStack, launchStack, removeStack } from '@weir/local';
import {
  type Api,
  api,
  type ObjectStore,
  objectStore,
  type RecordingServer,
  recordingServer,
  until,
} from '@weir/testing';
import pg from 'pg';
import { runWeir } from './support/command-line.js';
import { PseudoTerminal } from './support/pseudo-terminal.js';
import { made } from './support/workspace.js';

/** A stack with an archive. Its broker refuses whatever a process may not do, and then the file fails. */
describe('the archive', () => {
  let store: ObjectStore;
  let hook: RecordingServer;
  let stack: LocalStack;
  let client: Api;

  beforeAll(async () => {
    [store, hook] = await Promise.all([objectStore(), recordingServer()]);
    const access = { ARCHIVE_ACCESS_KEY_ID: 'key', ARCHIVE_SECRET_ACCESS_KEY: 'secret' };
    const archive = { ARCHIVE_BUCKET: 'events', ARCHIVE_ENDPOINT: store.url, ARCHIVE_SEGMENT_MS: '100' };
    stack = await launchStack({ env: { ...access, ...archive }, opsPorts: true });
    client = api(stack.address, 'bearer');
  });
  afterAll(async () => {
    await removeStack(stack);
    await Promise.all([store.close(), hook.close()]);
  });

  const webhook = async (path: string) => {
    const config = { webhookUrl: `${hook.url}${path}` };
    return made(await client.post('/v2/destinations', { name: path, type: 'WEBHOOK', config })).destination.id;
  };
  /** Replays wait until what came in is stored for sure. This one need not. */
  async function beginNow(): Promise<void> {
    const database = new pg.Client({ connectionString: stack.address.databaseUrl });
    await database.connect();
    await database.query('UPDATE delivery.range_replays SET next_at = now()');
    await database.end();
  }
  async function replay(body: object) {
    const path = '/v2/deliveries/range-replays';
    const { id } = made(await client.post(path, body), 202).replay;
    await beginNow();
    return until('the replay to end', async () => {
      const { replay: found } = made(await client.get(`${path}/${id}`));
      return found.endedAt !== undefined && found;
    });
  }

  /** Does something that replays, and lets its replays begin. */
  async function hurried<Result>(work: Promise<Result>): Promise<Result> {
    let isOver = false;
    const ended = work.finally(() => {
      isOver = true;
    });
    while (!isOver) await Promise.all([beginNow(), delay(200)]);
    return ended;
  }

  async function replaysFromCommandLine(): Promise<void> {
    const { accessToken: WEIR_TOKEN, urls } = stack.address;
    const where = { cwd: tmpdir(), env: { PATH: process.env['PATH'], WEIR_URL: urls[0], WEIR_TOKEN } };
    const words = ['replay', '--source', 'shop', '--from', '1h', '--destination', '/later'];
    const asked = new PseudoTerminal(words, where);
    try {
      const { code, json } = await hurried(runWeir([...words, '--names', 'Bought', '--yes', '--json'], where));
      expect([code, json]).toMatchObject([0, { state: 'done', dryRun: false, eventCount: 2 }]);
      await hurried(asked.answer('Send 2 events (0.0 MB) to /later?', 'n'));
      expect([await asked.end(), asked.text]).toEqual([1, expect.stringContaining('Nothing was changed')]);
      const list = await runWeir(['replays', 'list', '--json'], where);
      expect(list.json.map(({ dryRun }: { dryRun: boolean }) => dryRun).toSorted()).toEqual([false, false, true, true]);
      expect((await runWeir(['replays', 'pause', list.json[0].id], where)).code).toBe(1); // it has ended
    } finally {
      asked.close();
    }
    await hook.received(4);
  }

  it('keeps what was accepted, sends it again to another destination, and forgets a user who is deleted', async () => {
    const from = new Date(Date.now() - 60_000).toISOString();
    const { source } = made(await client.post('/v2/sources', { name: 'shop', type: 'HTTP' }));
    const later = await webhook('/later');
    const intake = api(stack.address, { writeKey: source.writeKey });
    for (const userId of ['ada', 'bob'])
      expect(await intake.post('/v1/track', { userId, event: 'Bought' })).toMatchObject({ status: 200 });
    await until('both to be stored', () => store.lines().length === 2);
    const range = { sourceId: source.id, destinationId: later, from, to: new Date().toISOString() };
    expect(await replay(range)).toMatchObject({ state: 'done', dryRun: true, eventCount: 2 });
    expect(await replay({ ...range, dryRun: false })).toMatchObject({ state: 'done', eventCount: 2 });
    await hook.received(2);
    expect(hook.requests.map(({ path, json }) => [path, (json as { userId: string }).userId])).toEqual([
      ['/later', 'ada'],
      ['/later', 'bob'],
    ]);

    await replaysFromCommandLine();
    const users = [{ userId: 'ada' }];
    const deletion = { regulationType: 'suppress_with_delete', users, destinationIds: [later] };
    made(await client.post('/v2/regulations', deletion), 201);
    await until('the archive to forget her', () => store.lines().length === 1);
    expect(store.lines()).toMatchObject([{ event: { userId: 'bob' } }]);
    const { processes } = made(await client.get('/v2/processes'));
    expect(processes.at(-1)).toMatchObject({ name: 'delivery-service.archiver', instances: [{ ready: true }] });
    const metrics = await fetch(`${stack.address.opsUrls['delivery-service.archiver']}/metrics`);
    expect(await metrics.text()).toMatch(/^# TYPE weir_archive_failures_total counter$/m);
  });
});
