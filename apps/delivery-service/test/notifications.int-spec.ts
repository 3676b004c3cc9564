import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  channelAad,
  ListOverdueDeletions,
  ListRollbacks,
  ListSourceActivity,
  type PutChannel,
  type ReplyOf,
  type RequestInputOf,
  TROUBLES,
} from '@weir/contracts';
import { LeaseLostError, LeaseTable, type Sql } from '@weir/messaging';
import { newKsuid } from '@weir/service-kit';
import { putInventory, type RecordingServer, sourceRecord, until, useDatabase, useNats } from '@weir/testing';
import { migrations } from '../src/migrations/index.js';
import { ChannelRepository } from '../src/notifications/channel.repository.js';
import { TroubleRepository } from '../src/notifications/trouble.repository.js';
import { TroubleWatch } from '../src/notifications/trouble-watch.js';
import { type DeliveryScene, eachTestOn } from './delivery-scene.js';

const database = useDatabase('delivery', migrations);
const nats = useNats();
let scene: DeliveryScene;
let server: RecordingServer;
/** The answers of the other services. */
let found: ReplyOf<typeof ListRollbacks> & ReplyOf<typeof ListOverdueDeletions> & ReplyOf<typeof ListSourceActivity>;

eachTestOn(database, nats, (stage) => {
  ({ scene, server } = stage);
  found = { rollbacks: [], overdue: [], sources: [] };
  scene.standIns.answer(ListRollbacks, () => found);
  scene.standIns.answer(ListOverdueDeletions, () => found);
  scene.standIns.answer(ListSourceActivity, () => found);
});

afterEach(() =>
  database.dataSource.query(
    'TRUNCATE channels, troubles, notifications, open_breakers, delivery_counts, attempt_minutes',
  ),
);

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const run = (sql: string, parameters: unknown[] = []) => database.dataSource.query(sql, parameters);
const channels = () => new ChannelRepository(database.dataSource);

type Put = RequestInputOf<typeof PutChannel>;

async function channel(settings: object = { url: `${server.url}/told`, secret: SECRET }, choices: Partial<Put> = {}) {
  const { workspaceId } = scene;
  const id = newKsuid();
  const sealedSettings = scene.sealer.seal(settings, channelAad(workspaceId, id));
  return channels().put({
    ...{ workspaceId, id, type: 'webhook', name: 'On call', enabled: true, kinds: [...TROUBLES], failingPercent: 50 },
    ...{ quietHours: null, sealedSettings, isNew: true, by: 'ada@example.com', ...choices },
  });
}

/** Starts a process that tells people, and returns how it looks for trouble. */
async function start() {
  const app = await scene.startDeliverer();
  const watch = app.get(TroubleWatch, { strict: false });
  return () => watch.look({ goOn: () => true, confirm: async () => undefined });
}

interface Told {
  type: string;
  text: string;
  trouble: { kind: string; resource: { id: string; name?: string }; count?: number; percent?: number };
}
const told = () => server.requests.filter(({ path }) => path === '/told').map(({ json }) => json as Told);
const types = () => told().map(({ type, trouble }) => `${type} ${trouble?.kind ?? ''}`.trim());
/** Looks for trouble until this many messages have arrived. */
const toldAfter = (look: () => Promise<void>, messages: number) =>
  until(`${messages} messages`, async () => {
    await look();
    return told().length >= messages;
  });
const count = (destinationId: string, name: string, events: number) =>
  run(
    `INSERT INTO delivery_counts VALUES ($1, $2, date_trunc('hour', now()), $3, $4)
     ON CONFLICT (workspace_id, destination_id, hour, name) DO UPDATE SET events = EXCLUDED.events`,
    [scene.workspaceId, destinationId, name, events],
  );
/** Attempts as their minutes hold them. */
const countAt = (destinationId: string, name: string, events: number, minutesAgo: number) =>
  run(`INSERT INTO attempt_minutes VALUES ($1, $2, now() - $3 * interval '1 minute', $4, $5)`, [
    scene.workspaceId,
    destinationId,
    minutesAgo,
    name,
    events,
  ]);
/** Makes the last sight of every trouble as old as it has to be. */
const age = () => run(`UPDATE troubles SET last_at = last_at - interval '2 hours' WHERE resolved_at IS NULL`);
const seeBreaker = (destinationId: string) =>
  run("INSERT INTO open_breakers VALUES ($1, $2, now() + interval '1 hour')", [destinationId, scene.workspaceId]);

describe('people', () => {
  it('are told once of a destination that is down, and once that it is back, whoever leads', async () => {
    const { id } = await scene.webhook(`${server.url}/hook`, { name: 'Shop' });
    await channel();
    await seeBreaker(id);
    const look = await start();
    await toldAfter(look, 1);
    expect(told()[0]).toMatchObject({
      type: 'trouble.opened',
      text: expect.stringContaining(`Destination "Shop" (${id}) counts as down`),
      trouble: { kind: 'breaker_open', resource: { type: 'destination', id, name: 'Shop' } },
    });
    await scene.stopDeliverers();
    const lookAgain = await start();
    await lookAgain();
    await run('DELETE FROM open_breakers');
    await lookAgain();
    await age();
    await toldAfter(lookAgain, 2);
    expect(types()).toEqual(['trouble.opened breaker_open', 'trouble.resolved breaker_open']);
    await lookAgain();
    await until(
      'nothing to wait',
      async () => (await run(`SELECT FROM notifications WHERE ended_at IS NULL`)).length === 0,
    );
    expect(told()).toHaveLength(2);
  });

  it('are told nothing by a process that no longer leads, and nobody else leads before a look is written', async () => {
    const { dataSource } = database;
    const troubles = new TroubleRepository(dataSource);
    const [leases, others] = ['first', 'second'].map(
      (member) => new LeaseTable(dataSource, { role: 'look', slots: 1, member, ttlMs: 500 }),
    ) as [LeaseTable, LeaseTable];
    await leases.prepare();
    const [lease] = await leases.claim(1);
    if (!lease) throw new Error('there is a free lease');
    let taken: unknown[] | undefined;
    const confirm = async (sql: Sql) => {
      await leases.confirm(sql, lease);
      await sleep(600);
      taken ??= await others.claim(1);
    };
    const look = { answered: [], lead: { confirm } };
    const { workspaceId } = scene;
    const note = (resourceId: string) =>
      troubles.note([workspaceId], [{ workspaceId, kind: 'breaker_open', resourceId }], look);
    await note('first');
    expect(taken).toEqual([]);
    expect(await others.claim(1)).toHaveLength(1);
    await expect(note('second')).rejects.toThrow(LeaseLostError);
    expect((await troubles.list(workspaceId)).map(({ resourceId }) => resourceId)).toEqual(['first']);
  });

  it('can check where a message comes from', async () => {
    const { id } = await channel();
    await start();
    await channels().test(scene.workspaceId, id);
    await expect(channels().test(scene.workspaceId, id)).rejects.toMatchObject({ code: 'conflict' });
    const [request] = await server.received(1);
    const { 'webhook-id': message, 'webhook-timestamp': at, 'webhook-signature': signature } = request?.headers ?? {};
    const hmac = createHmac('sha256', Buffer.alloc(32, 7)).update(`${message}.${at}.${request?.body}`);
    expect(signature).toBe(`v1,${hmac.digest('base64')}`);
    expect(request?.json).toMatchObject({ type: 'test', workspaceId: scene.workspaceId });
    await until('the result', async () => (await channels().list(scene.workspaceId))[0]?.health.lastSentAt);
  });

  it('in Slack get a text in which a name can address nobody, and no signature', async () => {
    const at = new Date(Date.now() + 60_000).toISOString();
    const name = 'Mask <!channel> & more';
    found.rollbacks = [{ workspaceId: scene.workspaceId, transformationId: newKsuid(), name, at }];
    await channel({ url: `${server.url}/told` }, { type: 'slack' });
    await toldAfter(await start(), 1);
    const [request] = server.requests;
    expect(request?.json).toEqual({ text: expect.stringContaining('Mask &lt;!channel&gt; &amp; more') });
    expect(Object.keys(request?.headers ?? {}).filter((header) => header.startsWith('webhook-'))).toEqual([]);
  });

  it('hear of what other services keep, and of no name of an event or key', async () => {
    const source = sourceRecord({ workspaceId: scene.workspaceId, name: 'Web' });
    await putInventory(nats.connection, 'source', source);
    const { workspaceId } = scene;
    const at = new Date(Date.now() + 60_000).toISOString();
    const long = new Date(Date.now() - 10 * 3_600_000);
    await run(`INSERT INTO source_silences VALUES ($1, $2, now() - interval '9 days', $3, '{"2026-01-01": 60}')`, [
      ...[source.id, workspaceId, long],
    ]);
    const seen = { workspaceId, writeKey: source.writeKey, lastSeen: long.toISOString() };
    found = {
      rollbacks: [{ workspaceId, transformationId: newKsuid(), name: 'Mask', at }],
      overdue: [{ workspaceId, destinationId: newKsuid(), count: 2 }],
      sources: [{ ...seen, newEvents: { count: 3, at }, drift: { count: 1, at } }],
    };
    await channel();
    const look = await start();
    await toldAfter(look, 5);
    expect(types().sort()).toEqual(
      ['deletion_overdue', 'new_events', 'rollback', 'schema_drift', 'source_silent'].map(
        (kind) => `trouble.opened ${kind}`,
      ),
    );
    expect(JSON.stringify(server.requests)).not.toContain(source.writeKey);
  });

  it('hear of a failing destination from the share that their channel names', async () => {
    const { id } = await scene.webhook(`${server.url}/hook`);
    await count(id, 'delivered', 70);
    await count(id, 'failed', 30);
    await count(id, 'dead', 4);
    await countAt(id, 'dead', 4, 1);
    await channel(undefined, { failingPercent: 25 });
    await channel(
      { url: `${server.url}/other`, secret: SECRET },
      { failingPercent: 31, kinds: ['destination_failing'] },
    );
    const look = await start();
    await toldAfter(look, 2);
    expect(types().sort()).toEqual(['trouble.opened dead_letters', 'trouble.opened destination_failing']);
    expect(
      told()
        .map(({ trouble }) => trouble.percent ?? trouble.count)
        .sort(),
    ).toEqual([30, 4]);
    expect(server.requests.filter(({ path }) => path === '/other')).toEqual([]);
  });

  it('hear within minutes that a destination has recovered, and that no more letters die', async () => {
    const { id } = await scene.webhook(`${server.url}/hook`);
    for (const [name, events] of Object.entries({ delivered: 50, failed: 50, dead: 4 })) await count(id, name, events);
    await countAt(id, 'failed', 20, 1);
    await countAt(id, 'dead', 4, 14);
    await channel(undefined, { failingPercent: 25 });
    const look = await start();
    await toldAfter(look, 2);
    await run('DELETE FROM attempt_minutes');
    await countAt(id, 'failed', 20, 4);
    await countAt(id, 'delivered', 5, 1);
    await countAt(id, 'dead', 4, 16);
    await look();
    await age();
    await toldAfter(look, 4);
    expect(types().slice(2).sort()).toEqual(['trouble.resolved dead_letters', 'trouble.resolved destination_failing']);
  });

  it('hear nothing of a recovery while nothing is tried', async () => {
    const { id } = await scene.webhook(`${server.url}/hook`);
    await count(id, 'failed', 50);
    await countAt(id, 'failed', 50, 20);
    await channel(undefined, { failingPercent: 25 });
    const look = await start();
    await toldAfter(look, 1);
    await age();
    await look();
    await look();
    expect(types()).toEqual(['trouble.opened destination_failing']);
  });

  it('are not told twice of one moment, nor of what was before their channel', async () => {
    const { workspaceId } = scene;
    const rollback = { workspaceId, transformationId: newKsuid(), name: 'Mask', at: new Date(0).toISOString() };
    found.rollbacks.push(rollback);
    await channel();
    const look = await start();
    await look();
    expect(await run('SELECT FROM notifications')).toEqual([]);
    rollback.at = new Date(Date.now() + 1_000).toISOString();
    await look();
    await age();
    await run(`UPDATE troubles SET resolved_at = now(), last_at = $1 WHERE resolved_at IS NULL`, [rollback.at]);
    await look();
    await server.received(1);
    expect(await run(`SELECT what FROM notifications`)).toEqual([{ what: 'opened' }]);
  });
});

describe('a message', () => {
  /** Quiet hours that began more than one hour ago and last for more than two. */
  const quietNow = () => {
    const hour = new Date().getUTCHours();
    const time = (hours: number) => `${String((hour + hours + 24) % 24).padStart(2, '0')}:00`;
    return { quietHours: { from: time(-2), to: time(3), timeZone: 'UTC' } };
  };

  it('is sent again until it is taken, and says why it was not', async () => {
    server.script({ status: 500 });
    const { id } = await channel();
    await start();
    await channels().test(scene.workspaceId, id);
    const error = await until(
      'the failure',
      async () => (await channels().list(scene.workspaceId))[0]?.health.lastError,
    );
    expect(error).toBe('The address answered 500');
    await run('UPDATE notifications SET due_at = now()');
    const [first, second] = await server.received(2);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.body).toBe(first?.body);
  });

  it('reaches no private address', async () => {
    const { id } = await channel({ url: 'http://10.0.0.1/', secret: SECRET });
    await start();
    await channels().test(scene.workspaceId, id);
    const error = await until(
      'the failure',
      async () => (await channels().list(scene.workspaceId))[0]?.health.lastError,
    );
    expect(error).toBe('No answer: blocked');
  });

  it('waits for the end of quiet hours, and a test does not wait for it', async () => {
    const { id } = await scene.webhook(`${server.url}/hook`);
    const {
      quietHours: _,
      health: __,
      createdAt: ___,
      updatedAt: ____,
      ...made
    } = await channel(undefined, quietNow());
    await seeBreaker(id);
    const look = await start();
    await until('it to wait', async () => {
      await look();
      return (await run('SELECT FROM notifications WHERE due_at > now() AND attempts = 0')).length === 1;
    });
    await channels().test(scene.workspaceId, made.id);
    await server.received(1);
    expect(types()).toEqual(['test']);
    await channels().put({ ...made, workspaceId: scene.workspaceId, quietHours: null, isNew: false });
    await server.received(2);
    expect(types()).toEqual(['test', 'trouble.opened breaker_open']);
  });

  it('waits for the end of quiet hours, and is not sent when its trouble ends before', async () => {
    const { id } = await scene.webhook(`${server.url}/hook`);
    await channel(undefined, quietNow());
    await seeBreaker(id);
    const look = await start();
    await until('it to wait', async () => {
      await look();
      const rows = await run(`SELECT FROM notifications WHERE due_at > now() + interval '1 hour'`);
      return rows.length === 1;
    });
    await run('DELETE FROM open_breakers');
    await age();
    await look();
    expect(await run('SELECT FROM notifications')).toEqual([]);
    expect(told()).toEqual([]);
  });

  it('does not hold up a test of its channel while it is under way', async () => {
    const { id } = await scene.webhook(`${server.url}/hook`);
    const made = await channel();
    server.script({ hang: true });
    await seeBreaker(id);
    const look = await start();
    await toldAfter(look, 1);
    await channels().test(scene.workspaceId, made.id);
    await server.received(2);
    expect(types()).toEqual(['trouble.opened breaker_open', 'test']);
    expect(await run('SELECT what FROM notifications WHERE last_error IS NOT NULL')).toEqual([]);
  });

  it('has a limit per hour and channel, and goes after it', async () => {
    const { id } = await channel();
    await run(
      `INSERT INTO notifications (workspace_id, channel_id, what, sent_at, ended_at, attempts)
       SELECT $1, $2, 'test', now() - interval '30 minutes', now() - interval '30 minutes', 1 FROM generate_series(1, 30)`,
      [scene.workspaceId, id],
    );
    const other = await channel();
    await start();
    await channels().test(scene.workspaceId, id);
    await channels().test(scene.workspaceId, other.id);
    await server.received(1);
    await run(`UPDATE notifications SET sent_at = sent_at - interval '1 hour' WHERE channel_id = $1`, [id]);
    await server.received(2);
  });
});

describe('a channel', () => {
  it('is one of ten, and each change is noted for the trail', async () => {
    const made = await Promise.all(Array.from({ length: 10 }, () => channel()));
    await expect(channel()).rejects.toMatchObject({ code: 'conflict' });
    await channels().remove(scene.workspaceId, made[0]?.id ?? '', 'ada@example.com');
    await expect(channels().remove(newKsuid(), made[1]?.id ?? '', undefined)).rejects.toMatchObject({
      code: 'not_found',
    });
    const acts = await run(
      `SELECT payload ->> 'action' AS action FROM audit_outbox WHERE payload ->> 'workspaceId' = $1 ORDER BY id`,
      [scene.workspaceId],
    );
    expect(acts.map(({ action }: { action: string }) => action)).toEqual([
      ...Array(10).fill('channel.created'),
      'channel.deleted',
    ]);
    expect(await new TroubleRepository(database.dataSource).list(scene.workspaceId)).toEqual([]);
  });
});
