import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type JsonObject, PurgeDeliveryUsers, PurgeRunnerUsers, PurgeSchemaUsers } from '@weir/contracts';
import { type DestinationKind, destinationKind, type KindDeletion } from '@weir/destinations';
import { until, useDatabase, useNats, waitingForLocks } from '@weir/testing';
import { SCHEMA } from '../src/schema.js';
import { useDeletions } from './deletions.harness.js';
import { answerPurges } from './eraser.fixtures.js';
import type { Workspace } from './fixtures.js';

const db = useDatabase(SCHEMA.name, SCHEMA.migrations, SCHEMA.entities);
const nats = useNats();
const releases: (() => void)[] = [];
// Before the erasers stop, which wait for their calls.
afterEach(() => {
  for (const release of releases.splice(0)) release();
});
const deletions = useDeletions(db, nats);
const { start, workspace, hook, requestDeletion, requestOne, deletionOf, ended } = deletions;

const slack = destinationKind('SLACK') as DestinationKind;
/** A kind that deletes as the test says. */
const kindOf = (deletion: KindDeletion): DestinationKind => ({ ...slack, deletion });
const firstTask = async (own: Workspace, id: string) => (await deletionOf(own, id))?.destinations[0];

/** Whether the barrier has passed, and nobody works at the destination. */
const isDue = async (id: string) => {
  const due =
    "SELECT id FROM deletion_tasks WHERE regulation_id = $1 AND destination_type <> 'INTERNAL' AND due_at <= now()";
  return (await db.dataSource.query(due, [id])).length > 0;
};

/** A receiver that does not answer before the test says so. */
function held() {
  const { promise, resolve } = Promise.withResolvers<void>();
  releases.push(resolve);
  const kind = kindOf({
    delete: async ({ users }) => {
      begun.push(...users);
      await promise;
      return { status: 'complete' };
    },
  });
  const begun: JsonObject[] = [];
  return { kind, begun, release: resolve };
}

describe('slow destinations of one workspace', () => {
  it('leave slots to others, however many they are', async () => {
    const [greedy, other] = [workspace(), workspace()];
    const { kind, begun } = held();
    const hooks = await Promise.all(Array.from({ length: 20 }, () => hook(greedy, {}, 'HELD')));
    const id = await requestOne(greedy, hooks);
    await start({ kinds: { HELD: kind }, limits: { destinations: 5, perWorkspace: 4 } });
    await until('the slots of the workspace to be taken', () => begun.length === 4);
    const theirs = await requestOne(other, [await hook(other)]);
    expect((await ended(other, theirs)).status).toBe('complete');
    expect((await deletionOf(greedy, id))?.status).toBe('running');
    expect(begun).toHaveLength(4);
  });

  it('give their slot up after a turn, although more is due there', async () => {
    const [greedy, other] = [workspace(), workspace()];
    const [before, after] = [held(), held()];
    const many = kindOf({
      delete: async (...call) => {
        const { kind } = before.begun.length < 4 ? before : after;
        return kind.deletion?.delete(...call);
      },
    });
    const users = Array.from({ length: 9 }, (_, n) => ({ userId: `u${n}` }));
    const [id = ''] = await requestDeletion(greedy, [await hook(greedy, {}, 'MANY')], users);
    await start({ kinds: { MANY: many }, limits: { destinations: 1, turnMs: 0 } });
    await until('the turn to begin', () => before.begun.length === 4);
    const theirs = await requestOne(other, [await hook(other)]);
    await until('the other deletion to be due', () => isDue(theirs));
    before.release();
    expect((await ended(other, theirs)).status).toBe('complete');
    after.release();
    expect((await ended(greedy, id)).destinations[0]).toMatchObject({ status: 'complete', attempts: 1 });
  });
});

describe('an object store that never ends', () => {
  /** A store that answers as the test says. */
  async function store(answer: (query: URLSearchParams, response: ServerResponse) => void) {
    const server = createServer((request, response) =>
      answer(new URL(request.url ?? '', 'http://store').searchParams, response),
    ).listen(0, '127.0.0.1');
    await once(server, 'listening');
    releases.push(() => {
      server.close();
      server.closeAllConnections();
    });
    const endPoint = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const login = { accessKeyID: 'id', accessKey: 'hush' };
    return { endPoint, useSSL: false, s3ForcePathStyle: true, bucketName: 'events', ...login };
  }
  const PAGE = '<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>';

  it('goes on in turns, and lets others have theirs', async () => {
    const [greedy, other] = [workspace(), workspace()];
    const begins: string[] = [];
    let objects = 0;
    const endless = await store((query, response) => {
      if (query.get('continuation-token') === null) begins.push(query.get('start-after') ?? '');
      objects += 1;
      const key = String(objects).padStart(9, '0');
      response.end(`${PAGE}more</NextContinuationToken><Contents><Key>${key}</Key></Contents></ListBucketResult>`);
    });
    const id = await requestOne(greedy, [await hook(greedy, endless, 'S3')]);
    await start({ limits: { destinations: 1, turnMs: 50 } });
    await until('the scan to begin', () => objects > 0);
    const theirs = await requestOne(other, [await hook(other)]);
    expect((await ended(other, theirs)).status).toBe('complete');
    await until('two more turns', () => begins.length > 2);
    expect(begins).toEqual(begins.toSorted());
    expect(new Set(begins).size).toBe(begins.length);
    expect(await firstTask(greedy, id)).toMatchObject({ status: 'running', attempts: 1 });
  });

  it('is cut off when it drips', async () => {
    const own = workspace();
    const drips: NodeJS.Timeout[] = [];
    releases.push(() => drips.forEach(clearInterval));
    const dripping = await store((_query, response) => {
      response.write(PAGE);
      drips.push(setInterval(() => response.write(' '), 20));
    });
    const id = await requestOne(own, [await hook(own, dripping, 'S3')]);
    await start({ callMsMax: 200 });
    const failed = async () => {
      const task = await firstTask(own, id);
      return task?.status === 'failed' && task.reason;
    };
    expect(await until('the attempt to fail', failed)).toBe('it took longer than 60 minutes');
  });
});

describe('a purge of what Weir keeps', () => {
  it('that takes long in one workspace delays no other, and goes on with the same users', async () => {
    const [greedy, other] = [workspace(), workspace()];
    let isDone = false;
    deletions.answerPurgesUntil((_asked, { workspaceId }) => isDone || workspaceId !== greedy.workspaceId);
    const [id = ''] = await requestDeletion(greedy, [], [{ userId: 'ada' }, { userId: 'bob' }]);
    await start({ limits: { internal: 1, turnMs: 50 } });
    const asked = () => deletions.purges().of(PurgeDeliveryUsers, greedy.workspaceId);
    await until('a purge to be under way', async () => (await firstTask(greedy, id))?.status === 'running');
    expect((await ended(other, await requestOne(other, []))).status).toBe('complete');
    isDone = true;
    expect((await ended(greedy, id)).destinations).toMatchObject([{ attempts: 1 }, { attempts: 1 }]);
    expect(new Set(asked().map(({ purgeId, users }) => `${purgeId} ${users.length}`)).size).toBe(1);
  });

  it('that could not read segments of the archive ends without having deleted everything, and says so', async () => {
    const own = workspace();
    deletions.answerPurges(PurgeSchemaUsers, PurgeRunnerUsers);
    const archive = answerPurges(nats.connection, [PurgeDeliveryUsers], () => ({ done: true, unreadable: 2 }));
    releases.push(archive.stop);
    const id = await requestOne(own, []);
    await start();
    expect(await ended(own, id)).toMatchObject({
      status: 'partial',
      destinations: [
        { status: 'complete' },
        { status: 'aborted', reason: '2 segments of the archive cannot be read. Everything else is clean' },
      ],
    });
  });
});

it('failed deletions of one workspace that cannot be tried again hold up no other workspace', async () => {
  const failing = workspace();
  const own = workspace();
  const destination = await hook(failing);
  const id = await requestOne(failing, [destination]);
  await db.dataSource.query(
    `UPDATE deletion_tasks SET status = 'failed', config_mark = 'former', due_at = now() + interval '1 day'
     WHERE regulation_id = $1 AND destination_type <> 'INTERNAL'`,
    [id],
  );
  await db.dataSource.transaction(async (sql) => {
    await sql.run(`SELECT FROM deletion_tasks WHERE regulation_id = $1 AND status = 'failed' FOR UPDATE`, [id]);
    await start();
    await until('the retry to wait for the lock', async () => (await waitingForLocks(db.dataSource)) > 0);
    const other = await requestOne(own, [await hook(own)]);
    expect(await ended(own, other)).toMatchObject({ status: 'complete' });
  });
  expect(await ended(failing, id)).toMatchObject({ status: 'complete' });
});
