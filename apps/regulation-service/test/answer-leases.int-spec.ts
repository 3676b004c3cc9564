import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Subscription } from '@nats-io/transport-node';
import { recalledAnswersSubject } from '@weir/contracts';
import { newKsuid } from '@weir/service-kit';
import { until, useDatabase, useNats } from '@weir/testing';
import { AnswerLeases } from '../src/answers/answer-leases.js';
import { BarrierService } from '../src/deletion/barrier.service.js';
import { SCHEMA } from '../src/schema.js';
import { BUDGETS, workspaceOf } from './fixtures.js';

const db = useDatabase(SCHEMA.name, SCHEMA.migrations, SCHEMA.entities);
const nats = useNats();
const leases = () => new AnswerLeases(db.dataSource, nats.connection);
const workspace = () => workspaceOf(db.dataSource, newKsuid(), BUDGETS, leases());
const hold = async (holder: string) => (await leases().hold({ holder, ends: false })).held;
let subscriptions: Subscription[] = [];

/** A holder that drops its answers, or is silent. Returns its name and what it was told, each with what was stored by then. */
async function holder({ isSilent = false } = {}) {
  const id = randomUUID();
  const told: { workspaceId?: string; regulations: number }[] = [];
  const count = 'SELECT count(*)::int AS n FROM regulations WHERE workspace_id = $1';
  const hear = async (message: { json<T>(): T; respond(): boolean }) => {
    const recalled = message.json<{ workspaceId?: string }>();
    const [row] = await db.dataSource.query<{ n: number }[]>(count, [recalled.workspaceId]);
    told.push({ ...recalled, regulations: row?.n ?? 0 });
    if (!isSilent) message.respond();
  };
  const callback = (_: Error | null, message: { json<T>(): T; respond(): boolean }) => void hear(message);
  subscriptions.push(nats.connection.subscribe(recalledAnswersSubject(id), { callback }));
  await nats.connection.flush();
  expect(await hold(id)).toBe(true);
  // A busy machine may need longer than a lease until somebody is told. A silent holder is waited for, so its lease is shorter.
  const lasts = isSilent ? '6 seconds' : '1 hour';
  await db.dataSource.query(
    'UPDATE answer_leases SET expires_at = clock_timestamp() + $2::interval WHERE holder = $1',
    [id, lasts],
  );
  return { id, told };
}

afterEach(async () => {
  for (const subscription of subscriptions) subscription.unsubscribe();
  subscriptions = [];
  await db.dataSource.query('DELETE FROM answer_leases');
});

/** The lease of the only holder, as the database has it. */
async function stored(): Promise<{ isLive: boolean; isRevoked: boolean }[]> {
  return db.dataSource.query(
    'SELECT expires_at > clock_timestamp() AS "isLive", is_revoked AS "isRevoked" FROM answer_leases',
  );
}

describe('a regulation is answered', () => {
  it('after every holder of answers has heard of it, which is after the commit', async () => {
    const [first, second] = [await holder(), await holder()];
    const own = workspace();
    await own.create({ users: [{ userId: 'ada' }] });
    const expected = [{ workspaceId: own.workspaceId, regulations: 1 }];
    expect([first.told, second.told]).toEqual([expected, expected]);
  });

  it('after the lease of a silent holder has run out, which it cannot renew', async () => {
    const silent = await holder({ isSilent: true });
    let isAnswered = false;
    const created = workspace()
      .create({})
      .then(() => {
        isAnswered = true;
      });
    await until('the end of its patience', async () => (await stored())[0]?.isRevoked);
    expect(isAnswered).toBe(false);
    expect(await hold(silent.id)).toBe(false);
    await created;
    expect(await stored()).toEqual([{ isLive: false, isRevoked: true }]);
  });

  it('again only after the recall, which the first answer may have missed', async () => {
    const own = workspace();
    const claim = { key: 'k', fingerprint: 'f' };
    await own.post({ idempotency: claim });
    const { told } = await holder();
    await own.recall(claim);
    await own.post({ idempotency: claim });
    expect(told).toHaveLength(2);
  });

  it('at once when the holder has given its lease back', async () => {
    const { id, told } = await holder();
    await leases().hold({ holder: id, ends: true });
    await workspace().create({});
    expect(told).toEqual([]);
  });
});

it('a barrier of a deletion is set after everybody dropped what was known before of its workspace, and of no other', async () => {
  const own = workspaceOf(db.dataSource);
  await own.create({ regulationType: 'suppress_with_delete' });
  await own.create({ regulationType: 'suppress_with_delete' });
  const { told } = await holder();
  const barriers = new BarrierService(db.dataSource, nats.connection, leases());
  await barriers.advance();
  expect(told).toMatchObject([{ workspaceId: own.workspaceId }]);
  await barriers.advance();
  expect(told).toHaveLength(1);
});
