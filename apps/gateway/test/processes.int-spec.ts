import { afterEach, beforeAll, expect, it } from '@jest/globals';
import { PROCESSES, type ProcessName, type ProcessReport, ROLL_CALL_SUBJECT } from '@weir/contracts';
import { isTestBrokerReliable, PATIENCE_MS, until } from '@weir/testing';
import { clientOf, newWorkspace } from './client.js';
import { useGateway } from './running-gateway.js';

const gateway = useGateway();
const isReliable = await isTestBrokerReliable();
const others = PROCESSES.filter((name) => name !== 'gateway.main');
const OLDER = '2026-01-01T00:00:00.000Z';
const NEWER = '2026-02-01T00:00:00.000Z';
let leave: (() => void)[] = [];
let workspace: Awaited<ReturnType<typeof newWorkspace>>;

beforeAll(async () => {
  workspace = await newWorkspace(gateway);
});
afterEach(() => {
  for (const one of leave) one();
  leave = [];
});

/** Stands in for one replica of a process. */
async function join(process: ProcessName, told: Partial<ProcessReport> = {}): Promise<void> {
  const report = { process, version: '9.9.9', startedAt: NEWER, ready: true, reasons: [], ...told };
  const { connection } = gateway.nats;
  const answering = connection.subscribe(ROLL_CALL_SUBJECT, {
    callback: (_error, message) => void message.respond(JSON.stringify(report)),
  });
  leave.push(() => answering.unsubscribe());
  await connection.flush();
}

interface Listed {
  name: ProcessName;
  instances: Omit<ProcessReport, 'process'>[];
}

const listed = async (): Promise<Listed[]> => {
  const { status, body } = await workspace.reader.get('/v2/processes');
  expect(status).toBe(200);
  return body.processes;
};

/** The instances of a process, once the list is newer than what the gateway remembers. */
const becomes = (name: ProcessName, count: number) =>
  until(`${count} of ${name}`, async () => {
    const instances = (await listed()).find((one) => one.name === name)?.instances;
    return instances?.length === count && instances;
  });

it('lists every process in the order of the architecture, also the ones that do not answer', async () => {
  const list = await listed();
  expect(list.map(({ name }) => name)).toEqual([...PROCESSES]);
  for (const { name, instances } of list)
    expect([name, instances.length]).toEqual([name, Number(name === 'gateway.main')]);
  const { version } = (await clientOf(gateway, 'nobody').get('/version')).body;
  const broker = { version: gateway.nats.connection.info?.version, isReliable };
  const [own] = list[0]?.instances ?? [];
  expect(own).toEqual({
    version,
    startedAt: expect.any(String),
    ready: true,
    reasons: [],
    time: expect.any(String),
    broker,
  });
  expect(Math.abs(Date.parse(own?.time ?? '') - Date.now())).toBeLessThan(PATIENCE_MS);
});

it('has each replica with its version, its start, what it misses and what waits for it, the oldest first', async () => {
  await Promise.all(others.map((name) => join(name)));
  await join('code-sandbox.main', {
    version: '9.9.8',
    startedAt: OLDER,
    ready: false,
    reasons: ['children: none is up'],
  });
  await join('schema-service.collector', { waiting: 7 });
  expect(await becomes('schema-service.collector', 2)).toContainEqual(expect.objectContaining({ waiting: 7 }));
  expect(await becomes('code-sandbox.main', 2)).toEqual([
    { version: '9.9.8', startedAt: OLDER, ready: false, reasons: ['children: none is up'] },
    { version: '9.9.9', startedAt: NEWER, ready: true, reasons: [] },
  ]);
});

it('notices who leaves, and leaves out what it does not understand', async () => {
  await join('test-runner.main');
  await join('schema-service.main', { version: 9 as never });
  await becomes('test-runner.main', 1);
  for (const one of leave) one();
  await becomes('test-runner.main', 0);
  expect((await listed()).find(({ name }) => name === 'schema-service.main')?.instances).toEqual([]);
});

it('is not for tokens that read nothing of the inventory', async () => {
  const { status } = await (await workspace.tokenOf('publish')).get('/v2/processes');
  expect(status).toBe(403);
});
