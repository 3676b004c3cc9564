import { describe, expect, it } from '@jest/globals';
import { type DestinationRecord, GetTestRun, ListTestRuns, PurgeRunnerUsers } from '@weir/contracts';
import { newKsuid } from '@weir/service-kit';
import type { RecordingServer, StandIns } from '@weir/testing';
import { type NewTestRun, TestRunRepository } from '../src/test-runs/test-run.repository.js';
import { ALL, message, SECRET, SEND, type TestRequest, useRunner, workspaceId } from './runner-scene.js';

let server: RecordingServer;
let standIns: StandIns;
const { database, rpc, webhook, test } = useRunner((stage) => {
  ({ server, standIns } = stage);
});

describe('a test with details', () => {
  const details = true;
  const detailed = (destination: DestinationRecord, request: Partial<TestRequest> = {}) =>
    test(destination, { details, stage: SEND, ...request });

  it('tells how long the stages took, what was logged and what was requested', async () => {
    const destination = webhook();
    standIns.logs = ['hello'];
    standIns.publish(workspaceId, destination.id, (event) => ({ status: 'ok', outputs: [event] }));
    const result = await detailed(destination, { stage: ALL, role: 'admin' });
    expect(result.details).toEqual({
      testId: expect.any(String),
      milliseconds: {
        user_transform: expect.any(Number),
        dest_transform: expect.any(Number),
        send_to_destination: expect.any(Number),
        total: expect.any(Number),
      },
      logs: ['hello'],
    });
    const curl = `curl -X POST ${server.url}/hook -H 'content-type: application/json' -H 'authorization: ***' `;
    const body = `--data-raw '${JSON.stringify(message)}'`;
    expect(result.data?.[0]?.details).toEqual({ message: 0, requests: [curl + body] });
    expect(server.requests).toHaveLength(1);
  });

  it('takes several messages, whose elements follow one another', async () => {
    const messages = [1, 2, 3].map((n) => ({ ...message, n }));
    const { data } = await detailed(webhook(), { message: messages });
    expect(data?.map((element) => element.details?.message)).toEqual([0, 1, 2]);
    expect(server.requests.map(({ json }) => (json as { n: number }).n)).toEqual([1, 2, 3]);
  });

  it('says whether what was expected holds, also of a destination that is disabled', async () => {
    const expect200 = [{ pointer: '/data/0/destination_response_status', equals: [200] }];
    server.script({}, { status: 500 });
    const verdicts = [];
    for (const overrides of [{}, {}, { enabled: false }]) {
      const result = await detailed(webhook({}, overrides), { expect: expect200 });
      verdicts.push(result.details?.verdict);
    }
    const failed = { pointer: expect200[0]?.pointer, expected: 'to equal [200]' };
    expect(verdicts).toEqual([
      { passed: true, failures: [] },
      { passed: false, failures: [{ ...failed, actual: [500] }] },
      { passed: false, failures: [failed] },
    ]);
  });

  it('is written down without secrets, for its own workspace', async () => {
    const destination = webhook();
    server.answer({ body: { echo: SECRET } });
    const result = await detailed(destination, { createdBy: 'ada@example.com', role: 'admin', expect: [] });
    const id = result.details?.testId ?? '';
    const run = await rpc().send(GetTestRun, { workspaceId, id });
    const { testId: _, ...kept } = result.details ?? {};
    expect(run).toMatchObject({ id, createdBy: 'ada@example.com', passed: true, result: { details: kept } });
    expect(run.request).toEqual({ message, stage: { user_transform: false, ...SEND }, force: false, expect: [] });
    expect(JSON.stringify(result)).toContain(SECRET);
    expect(JSON.stringify(run)).not.toContain(SECRET);
    const { runs } = await rpc().send(ListTestRuns, { workspaceId, destinationId: destination.id });
    expect(runs).toEqual([expect.objectContaining({ id, destinationId: destination.id, passed: true })]);
    await expect(rpc().send(GetTestRun, { workspaceId: newKsuid(), id })).rejects.toMatchObject({ code: 'not_found' });
    expect(await rpc().send(ListTestRuns, { workspaceId: newKsuid() })).toEqual({ runs: [] });
  });
});

describe('test runs', () => {
  const owner = newKsuid();
  const run = (workspace: string, identifiers: string[] = []): NewTestRun => ({
    id: newKsuid(),
    workspaceId: workspace,
    destinationId: newKsuid(),
    destinationName: 'Hook',
    request: {},
    result: {},
    identifiers,
  });

  it('are listed page by page, newest first, and a bad cursor is refused', async () => {
    const runs = new TestRunRepository(database.dataSource);
    const ids: string[] = [];
    for (let n = 0; n < 52; n += 1) {
      const one = run(owner);
      await runs.add(one);
      ids.unshift(one.id);
    }
    const first = await rpc().send(ListTestRuns, { workspaceId: owner });
    const second = await rpc().send(ListTestRuns, { workspaceId: owner, cursor: first.next });
    expect([...first.runs, ...second.runs].map(({ id }) => id)).toEqual(ids);
    expect([first.runs.length, second.next]).toEqual([50, undefined]);
    await expect(rpc().send(ListTestRuns, { workspaceId: owner, cursor: 'x' })).rejects.toMatchObject({
      code: 'invalid',
    });
  });

  it('are forgotten after seven days, and with the users of their messages', async () => {
    const runs = new TestRunRepository(database.dataSource);
    const workspace = newKsuid();
    const [old, purged, kept] = [run(workspace), run(workspace, ['userId=gone']), run(workspace, ['userId=u1'])];
    for (const one of [old, purged, kept]) await runs.add(one);
    const age = "UPDATE test_runs SET created_at = now() - interval '7 days 1 minute' WHERE id = $1";
    await database.dataSource.query(age, [old.id]);
    const listed = async () => (await runs.list(workspace, {})).runs.map(({ id }) => id);
    expect(await listed()).toEqual([kept.id, purged.id]);
    await runs.removeOld();
    expect(await database.dataSource.query('SELECT 1 FROM test_runs WHERE id = $1', [old.id])).toEqual([]);
    await rpc().send(PurgeRunnerUsers, { workspaceId: workspace, users: [{ userId: 'gone' }] });
    expect(await listed()).toEqual([kept.id]);
  });
});
