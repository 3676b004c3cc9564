import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { CheckSuppression, PurgeDeliveryUsers } from '@weir/contracts';
import type { RpcClient } from '@weir/messaging';
import { newKsuid } from '@weir/service-kit';
import { until, useDatabase, useNats } from '@weir/testing';
import { ArchivePurgeRepository } from '../src/archive/archive-purge.repository.js';
import { migrations } from '../src/migrations/index.js';
import { type ArchiveScene, eachTestArchives, numbersIn } from './archive-scene.js';
import { type DeliveryScene, numbered } from './delivery-scene.js';

const nats = useNats();
const database = useDatabase('delivery', migrations);
let scene: ArchiveScene;
let deliveries: DeliveryScene;
let rpc: RpcClient;
let purges: ArchivePurgeRepository;
eachTestArchives(database, nats, (begun) => {
  scene = begun;
  ({ deliveries } = begun);
});
beforeEach(async () => {
  await run('DELETE FROM archive_purges');
  purges = new ArchivePurgeRepository(database.dataSource);
  rpc = await scene.startRequests();
});

const ask = (userId: string, purgeId: string) =>
  rpc.send(PurgeDeliveryUsers, { workspaceId: deliveries.workspaceId, users: [{ userId }], purgeId });
const run = (sql: string) => database.dataSource.query(sql);
const hoursAgo = (column: string) => run(`UPDATE archive_purges SET ${column} = now() - interval '1 hour'`);

describe('a purge of the archive', () => {
  it('skips a segment that cannot be read, and says so', async () => {
    await scene.startArchiver();
    for (const hour of [10, 11, 12])
      await deliveries.accept([numbered(hour, 'u1'), numbered(hour + 100, 'u2')], {
        receivedAt: `2026-03-01T${hour}:00:00.000Z`,
      });
    await scene.stored();
    const [broken = ''] = [...scene.store.objects.keys()].toSorted();
    const whole = scene.store.objects.get(broken) ?? Buffer.alloc(0);
    scene.store.objects.set(broken, whole.subarray(0, whole.length - 12));
    expect(await ask('u1', newKsuid())).toEqual({ done: true, unreadable: 1 });
    scene.store.objects.set(broken, gzipSync(''));
    expect(numbersIn(scene.archived())).toEqual([111, 112]);
  });

  it('begins when every write that was under way has ended', async () => {
    await purges.ask(deliveries.workspaceId, ['ada']);
    // as a process of the release before asks
    await run(`INSERT INTO archive_purges (id, workspace_id, identifiers) VALUES ('b', 'w', '{bob}')`);
    expect(await purges.take()).toBeUndefined();
    await run(`UPDATE archive_purges SET next_at = next_at - interval '15 seconds'`);
    const taken = [await purges.take(), await purges.take()].flatMap((turn) => turn?.identifiers);
    expect(taken).toEqual(['ada', 'bob']);
  });

  it('keeps what is archived later from the users, by any identifier', async () => {
    const { workspaceId } = deliveries;
    const email = 'ada@example.com';
    const anonymous = (n: number, address: string) => ({
      ...{ type: 'track', event: 'Seen', anonymousId: 'a1', properties: { n } },
      context: { traits: { email: address } },
    });
    deliveries.standIns.broken.add(CheckSuppression.subject); // so nothing is archived yet
    await scene.startArchiver();
    await deliveries.accept([anonymous(1, email), numbered(2, 'bob')]);
    const request = { workspaceId, users: [{ userId: 'ada', email }], purgeId: newKsuid() };
    await until('the purge to end', async () => (await rpc.send(PurgeDeliveryUsers, request)).done);
    await deliveries.accept([anonymous(3, email)]);
    deliveries.standIns.broken.clear();
    await scene.stored();
    expect(numbersIn(scene.archived())).toEqual([2, 3]);
  });

  it('is not stuck while others get on', async () => {
    const [waiting, other] = [newKsuid(), newKsuid()];
    purges.writesEndMs = 0;
    const id = await purges.ask(deliveries.workspaceId, [waiting]);
    await purges.ask(deliveries.workspaceId, [other]);
    await hoursAgo('progress_at');
    expect(await purges.stateOf(id)).toMatchObject({ isStuck: true });
    const turn = await purges.take();
    expect(turn?.identifiers).toEqual([waiting]);
    const next = await purges.take();
    if (!turn || !next) throw new Error('two purges are due');
    await purges.keep(next, 'a');
    expect(await purges.stateOf(id)).toMatchObject({ isDone: false, isStuck: false });
    await purges.fail(turn);
    await hoursAgo('progress_at');
    await purges.end(next);
    expect(await purges.stateOf(id)).toMatchObject({ isDone: false, isStuck: true });
  });

  it('looks a few times only while a caller waits, because hundreds may wait', async () => {
    const looks = jest.spyOn(ArchivePurgeRepository.prototype, 'stateOf');
    expect(await ask('u1', newKsuid())).toEqual({ done: false });
    expect(looks.mock.calls.length).toBeLessThan(10);
    looks.mockRestore();
  });
});

describe('the identifiers of a purge', () => {
  const kept = () => run('SELECT identifiers FROM archive_purges ORDER BY identifiers');
  const daysAgo = (days: number) => run(`UPDATE archive_purges SET asked_at = now() - interval '${days} days'`);

  it('are forgotten once nobody asks for it any more, although it is open', async () => {
    await purges.ask(deliveries.workspaceId, ['ada']);
    await purges.ask(deliveries.workspaceId, ['bob']);
    await daysAgo(13);
    await purges.removeOld();
    expect(await kept()).toEqual([{ identifiers: ['ada'] }, { identifiers: ['bob'] }]);
    await daysAgo(15);
    await purges.ask(deliveries.workspaceId, ['bob']);
    await purges.removeOld();
    expect(await kept()).toEqual([{ identifiers: ['bob'] }]);
  });

  it('are forgotten when the archive was turned off meanwhile', async () => {
    const purgeId = newKsuid();
    expect(await ask('u1', purgeId)).toEqual({ done: false });
    await scene.stopRequests();
    rpc = await scene.startRequests({ ARCHIVE_BUCKET: '' });
    expect(await ask('u1', purgeId)).toEqual({ done: true });
    expect(await kept()).toEqual([]);
  });
});
