import { spawnSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  CancelRegulation,
  CheckSuppression,
  CreateRegulation,
  GetRegulation,
  GetRegulationReceipt,
  healthCall,
  ListReceiptKeys,
  ListRegulations,
  PurgeDeliveryUsers,
  PurgeRunnerUsers,
  PurgeSchemaUsers,
} from '@weir/contracts';
import { newKsuid } from '@weir/service-kit';
import {
  PatientRpcClient,
  recordingServer,
  type ServiceProcess,
  startProcess,
  until,
  useDatabase,
  useNats,
} from '@weir/testing';
import { SCHEMA } from '../src/schema.js';
import { addDestination, answerPurges, ENCRYPTION_KEY } from './eraser.fixtures.js';
import { acceptedOf, acknowledgeAccepted, numbersOf, takeIn, track, untilFiltered } from './filter.fixtures.js';
import { PEPPER } from './fixtures.js';

const db = useDatabase(SCHEMA.name, SCHEMA.migrations, SCHEMA.entities);
const nats = useNats();
const NAMES = ['regulation-service.main', 'regulation-service.filter', 'regulation-service.eraser'] as const;
/** Concurrent calls of the eraser to one destination. */
const CALLS_UNDER_WAY = 4;
let processes: ServiceProcess[] = [];

const common = () => ({ DATABASE_URL: db.url, NATS_URL: nats.url });
const environment = () => ({
  ...common(),
  REGULATION_PEPPER: PEPPER,
  WEIR_ENCRYPTION_KEY: ENCRYPTION_KEY,
  REGULATION_RECEIPT_KEY: randomBytes(32).toString('base64'),
  EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
  LOG_LEVEL: 'debug',
});
function spawn(file: string, args: string[], env: NodeJS.ProcessEnv) {
  const path = fileURLToPath(new URL(`../dist/${file}.js`, import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [path, ...args], { env, encoding: 'utf8' });
  return { status, stdout, stderr };
}
/** Runs one of the commands as an operator would. */
const run = (command: string, ...args: string[]) => spawn(command, args, common());
const rpc = () => new PatientRpcClient(nats.connection);
const workspaceId = newKsuid();

describe('the processes of the service', () => {
  let folder = '';
  const fileOf = async (name: string, text: string) => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };
  // Inside this block, so that the processes stop before the database and the broker do.
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weir-receipts-'));
    processes = await Promise.all(NAMES.map((name) => startProcess(name, environment())));
  });
  afterAll(async () => {
    await Promise.all(processes.map((process) => process.stop()));
    await rm(folder, { recursive: true, force: true });
  });

  it('are ready', async () => {
    for (const name of NAMES) {
      const report = await until('readiness', async () => {
        const found = await rpc().send(healthCall(name), {});
        return found.ready && found;
      });
      expect(report).toEqual({ ready: true, reasons: [] });
    }
  });

  it.each(['main', 'filter', 'eraser'])('do not start with another pepper: %s', (name) => {
    const pepper = randomBytes(32).toString('base64');
    const { status, stdout, stderr } = spawn(name, [], { ...environment(), REGULATION_PEPPER: pepper });
    expect(status).toBe(1);
    expect(stdout + stderr).toContain('REGULATION_PEPPER lacks a pepper that this database was used with');
    expect(stdout + stderr).not.toContain(pepper);
  });

  it('answer calls, and refuse with a code', async () => {
    const users = [{ userId: 'ada' }, { userId: 'bob' }];
    const request = { workspaceId, createdBy: 'ops@example.com', destinations: [], users };
    const { ids } = await rpc().send(CreateRegulation, { ...request, regulationType: 'suppress', sourceIds: null });
    const asked = { workspaceId, sourceId: newKsuid(), userIds: ['ada', 'eve'] };
    expect(await rpc().send(CheckSuppression, asked)).toEqual({ suppressed: ['ada'], deleted: [], regulated: ['ada'] });
    const [id = ''] = ids;
    await rpc().send(CancelRegulation, { workspaceId, id, canceledBy: 'ops@example.com' });
    expect(await rpc().send(CheckSuppression, asked)).toEqual({ suppressed: [], deleted: [], regulated: ['ada'] });
    const { records } = await rpc().send(ListRegulations, { workspaceId });
    expect(records.map((record) => [record.id, record.canceled])).toEqual([
      [ids[0], true],
      [ids[1], false],
    ]);
    const refused = (code: string) => expect.objectContaining({ code });
    await expect(rpc().send(GetRegulation, { workspaceId, id: randomUUID() })).rejects.toEqual(refused('not_found'));
    await expect(rpc().send(ListRegulations, { workspaceId, cursor: 'x' })).rejects.toEqual(refused('invalid'));
  });

  it('take one user from the suppression to the last deletion, and never log who it is', async () => {
    const server = await recordingServer();
    const purges = answerPurges(nats.connection);
    const needle = `needle-${randomUUID()}`;
    const source = { workspaceId, sourceId: newKsuid() };
    const destination = await addDestination(nats.connection, workspaceId, { deletionUrl: `${server.url}/{userId}` });
    server.script({ status: 503 });
    const { ids } = await rpc().send(CreateRegulation, {
      ...{ workspaceId, createdBy: 'ops@example.com', regulationType: 'suppress_with_delete', sourceIds: null },
      ...{ destinations: [{ id: destination.id, type: 'WEBHOOK' }], users: [{ userId: needle, email: needle }] },
    });
    await takeIn(nats.connection, source, track(needle, 1), track('eve', 2));
    await untilFiltered(nats.connection);
    expect(numbersOf(await acceptedOf(nats.connection, source))).toEqual([2]);
    // Nobody reads the accepted stream in this test, so the barrier would wait forever.
    await acknowledgeAccepted(nats.connection);
    const ended = await until('the deletion', async () => {
      const { deletion } = await rpc().send(GetRegulation, { workspaceId, id: ids[0] ?? '' });
      return deletion?.status === 'complete' && deletion;
    });
    expect(ended.destinations.map(({ attempts }) => attempts)).toEqual([2, 1, 1]);
    expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(Array(2).fill(`DELETE /${needle}`));
    for (const call of [PurgeSchemaUsers, PurgeRunnerUsers, PurgeDeliveryUsers])
      expect(purges.usersOf(call, workspaceId)).toHaveLength(1);
    expect(processes.map((process) => process.output()).join()).not.toContain(needle);

    const receipt = await rpc().send(GetRegulationReceipt, { workspaceId, id: ids[0] ?? '' });
    const keysFile = await fileOf('keys.json', JSON.stringify(await rpc().send(ListReceiptKeys, {})));
    const shown = run('receipt-verify', await fileOf('receipt.json', JSON.stringify(receipt, null, 2)), keysFile);
    expect(shown).toMatchObject({
      status: 0,
      stderr: expect.stringContaining(`valid: the deletion of regulation ${ids[0]}`),
    });
    expect(run('audit-verify', await fileOf('heads', shown.stdout))).toMatchObject({ status: 0, stderr: '' });
    const { signature } = receipt;
    const forged = { receipt: { ...receipt.receipt, completedAt: '2020-01-01T00:00:00.000Z' }, signature };
    expect(run('receipt-verify', await fileOf('forged.json', JSON.stringify(forged)), keysFile)).toMatchObject({
      ...{ status: 1, stdout: '', stderr: expect.stringContaining('not valid') },
    });
    purges.stop();
    await server.close();
  });

  it('forget 1,000 users although the eraser is killed among them: nobody is left out, nobody is deleted twice', async () => {
    const vendor = await recordingServer();
    const purges = answerPurges(nats.connection);
    const own = newKsuid();
    const destination = await addDestination(nats.connection, own, { deletionUrl: `${vendor.url}/{userId}` });
    const users = Array.from({ length: 1_000 }, (_, n) => ({ userId: `user-${n}` }));
    await rpc().send(CreateRegulation, {
      ...{ workspaceId: own, createdBy: 'ops@example.com', regulationType: 'suppress_with_delete', sourceIds: null },
      ...{ destinations: [{ id: destination.id, type: 'WEBHOOK' }], users },
    });
    const tasks = (sql: string) => db.dataSource.query(sql, [destination.id]);
    // This test is not about the barrier, so it is passed at once.
    await db.dataSource.query('UPDATE deletion_barriers SET passed_at = now()');
    await tasks('UPDATE deletion_tasks SET due_at = now() WHERE destination_id = $1');
    await vendor.received(300);
    const [, , victim] = processes;
    victim?.kill('SIGKILL');
    await victim?.exited;
    const early = new Set(vendor.requests.map(({ path }) => path));
    const [{ done }] = await tasks(
      `SELECT count(*)::int AS done FROM deletion_tasks WHERE destination_id = $1 AND status = 'complete'`,
    );
    expect(early.size - done).toBeLessThanOrEqual(CALLS_UNDER_WAY);
    await tasks(`UPDATE deletion_tasks SET due_at = now() WHERE destination_id = $1 AND status = 'running'`); // the lease ends
    processes[2] = await startProcess('regulation-service.eraser', environment());
    const isDone = `SELECT bool_and(status = 'complete') AS "isDone" FROM deletion_tasks WHERE destination_id = $1`;
    await until('the end of all', async () => (await tasks(isDone))[0]?.isDone);

    const keysByUser = Map.groupBy(vendor.requests, ({ path }) => path.slice(1));
    expect([...keysByUser.keys()].sort()).toEqual(users.map(({ userId }) => userId).sort());
    // Calls under way at the kill come twice, with the same key, so that a vendor can recognise the repeat.
    expect(vendor.requests.length - users.length).toBeLessThanOrEqual(CALLS_UNDER_WAY);
    const counted = new Set(vendor.requests.map(({ headers }) => headers['idempotency-key']));
    expect(counted.size).toBe(users.length);
    purges.stop();
    await vendor.close();
  });

  it('are migrated by a step of its own, which may come again', () => {
    expect(run('migrate')).toMatchObject({ status: 0, stderr: '' });
  });

  it('do not start without their secrets, and say which', async () => {
    const { REGULATION_PEPPER, WEIR_ENCRYPTION_KEY, ...rest } = environment();
    await expect(startProcess('regulation-service.filter', rest)).rejects.toThrow('REGULATION_PEPPER');
    await expect(startProcess('regulation-service.eraser', { ...rest, REGULATION_PEPPER })).rejects.toThrow(
      'WEIR_ENCRYPTION_KEY',
    );
    await expect(startProcess('regulation-service.main', { ...rest, WEIR_ENCRYPTION_KEY })).rejects.toThrow(
      'REGULATION_PEPPER',
    );
  });
});
