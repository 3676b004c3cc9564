import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { Metrics, newKsuid } from '@weir/service-kit';
import { trackEvent, until, useDatabase, waitingForLocks } from '@weir/testing';
import { PurgeFence } from '../src/checks/purge-fence.js';
import { addDays } from '../src/days/day-partitions.js';
import type { DeadLetter } from '../src/dead-letters/dead-letter.repository.js';
import { DeadLetterDays } from '../src/dead-letters/dead-letter-days.js';
import { DeadLetterPurge } from '../src/dead-letters/dead-letter-purge.js';
import { DeadLetterWriter } from '../src/dead-letters/dead-letter-writer.js';
import { DeadLettersByDay1764000000008 } from '../src/migrations/0008-dead-letters-by-day.js';
import { migrations } from '../src/migrations/index.js';
import { ReplayRepository } from '../src/replays/replay.repository.js';
import { DeliveryListRepository } from '../src/requests/delivery-list.repository.js';
import { identifierKeyOf } from '../src/units/match-keys.js';
import { lettersIn } from './letters.js';

const database = useDatabase('delivery', migrations);
const ids = { workspaceId: newKsuid(), destinationId: newKsuid(), sourceId: newKsuid() };
const receivedAt = new Date().toISOString();
/** Too many to write one by one, or to delete in hourly pieces of 5,000, as earlier releases did. */
const MANY = 20_000;
const TWO = { lettersMax: 2, bytesMax: 1_000_000 };

const letter = (eventKey: string, overrides: Partial<DeadLetter> = {}): DeadLetter => ({
  ...{
    ...ids,
    eventKey,
    stage: 'queue',
    reason: 'full',
    attempts: 0,
    event: trackEvent({ userId: eventKey }),
    receivedAt,
  },
  ...overrides,
});
const sql = <T = { count: number }[]>(text: string, values: unknown[] = []) =>
  database.dataSource.query<T>(text, values);
const count = async (where = 'true', values: unknown[] = []) =>
  (await sql(`SELECT count(*)::int AS count FROM dead_letters WHERE ${where}`, values))[0]?.count;
const days = () => new DeadLetterDays(database.dataSource);
const fence = () => new PurgeFence(database.dataSource);
/** A process that has not written yet. */
const repository = (dayBytes?: number, metrics?: Metrics) => lettersIn(database.dataSource, dayBytes, metrics);
const purge = (identifiers: string[]) => new DeadLetterPurge(database.dataSource).purge(ids.workspaceId, identifiers);
const partitions = async () => {
  const rows = await sql<{ name: string }[]>(
    `SELECT relname AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
     WHERE inhparent = 'dead_letters'::regclass ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
};
/** The partition `n` days after today. */
const partition = async (n: number) => {
  const text = `SELECT 'dead_letters_' || to_char((now() AT TIME ZONE 'UTC')::date + $1::int, 'YYYYMMDD') AS name`;
  const [row] = await sql<{ name: string }[]>(text, [n]);
  return row?.name ?? '';
};

/** The last day that the migrations made ready. Midnight may pass before a test looks for it. */
let weekReady: string;
beforeAll(async () => {
  weekReady = await partition(7);
});
beforeEach(() => sql('TRUNCATE dead_letters, dead_letter_sizes, purged_users, delivery_counts'));

describe('dead letters', () => {
  it('are written in bulk, each once', async () => {
    const destinations = [newKsuid(), newKsuid()];
    const letters = Array.from({ length: MANY }, (_, n) =>
      letter(`e${n}`, { destinationId: destinations[n % 2] ?? '' }),
    );
    const writer = new DeadLetterWriter(repository());
    const startedAt = performance.now();
    await Promise.all(letters.map((one) => writer.add(one)));
    const rate = (MANY / (performance.now() - startedAt)) * 1_000;
    process.stdout.write(`dead letters, written in bulk: ${Math.round(rate)} a second\n`);
    await Promise.all(letters.slice(0, 2_000).map((one) => writer.add(one)));
    expect(await count()).toBe(MANY);
  });

  it('of one destination keep their order', async () => {
    const writer = new DeadLetterWriter(repository());
    const keys = Array.from({ length: 2_500 }, (_, n) => `e${n}`);
    await Promise.all(keys.map((key) => writer.add(letter(key))));
    const rows = await sql<{ event_key: string }[]>('SELECT event_key FROM dead_letters ORDER BY id');
    expect(rows.map((row) => row.event_key)).toEqual(keys);
  });

  it('hold whatever an event holds, and are listed', async () => {
    const odd: JsonObject = {
      ...{ type: 'track', messageId: 'a\0b', userId: 'q"\\{},\n\ud800', event: '\ud800 half' },
      properties: { a: '\0', b: '\ud800', c: '"\\' },
    };
    await repository().add([letter('odd', { event: odd, reason: 'said \0 and \udfff', output: 3 })]);
    const list = new DeliveryListRepository(database.dataSource);
    const { deliveries } = await list.list(ids.workspaceId, {});
    expect(deliveries).toMatchObject([
      { messageId: 'a\ufffdb', eventName: '\ufffd half', reason: 'said \ufffd and \ufffd' },
    ]);
    const found = await list.find(ids.workspaceId, deliveries[0]?.id ?? '');
    expect(found?.event).toEqual(odd);
    await purge(['userId=q"\\{},\n\ufffd']);
    expect(await count()).toBe(0);
  });

  it('are counted with their row, once, whoever is killed, and no longer when they are sent again', async () => {
    const [destinationId, other] = [newKsuid(), newKsuid()];
    const counted = async (table: string) => {
      const rows = await sql<{ destination_id: string; events: number }[]>(
        `SELECT destination_id, sum(events)::int AS events FROM ${table} WHERE name = 'dead' GROUP BY 1`,
      );
      return [destinationId, other].map((id) => rows.find((row) => row.destination_id === id)?.events);
    };
    const letters = ['e1', 'e2', 'e3'].map((key) => letter(key, { destinationId }));
    await repository().add([...letters.slice(0, 2), letter('e1', { destinationId: other })]);
    await repository().add(letters); // from a process that has not seen the others
    expect(await counted('delivery_counts')).toEqual([3, 1]);
    expect(await counted('attempt_minutes')).toEqual([3, 1]);
    const replays = new ReplayRepository(database.dataSource);
    await replays.request(ids.workspaceId, { destinationId });
    await replays.take(destinationId, TWO, () => Promise.reject(new Error('no room'))).catch(() => undefined);
    expect(await counted('delivery_counts')).toEqual([3, 1]);
    await replays.take(destinationId, TWO, async () => undefined);
    expect(await counted('delivery_counts')).toEqual([1, 1]);
    expect(await counted('attempt_minutes')).toEqual([3, 1]);
  });

  it('are sent again a few megabytes at a time, and at least one', async () => {
    const destinationId = newKsuid();
    const large = trackEvent({ properties: { text: 'x'.repeat(300_000) } });
    await repository().add(['e1', 'e2', 'e3', 'e4'].map((key) => letter(key, { destinationId, event: large })));
    const replays = new ReplayRepository(database.dataSource);
    await replays.request(ids.workspaceId, { destinationId });
    const taken = async (bytesMax: number) => {
      const letters = await replays.take(destinationId, { lettersMax: 100, bytesMax }, async () => undefined);
      return letters.map(({ eventKey }) => eventKey);
    };
    expect(await taken(700_000)).toEqual(['e1', 'e2']);
    expect(await taken(1)).toEqual(['e3']);
    expect(await taken(700_000)).toEqual(['e4']);
    expect(await taken(700_000)).toEqual([]);
  });

  it('that the database refuses hold up no others', async () => {
    const writer = new DeadLetterWriter(repository());
    const wrong = letter('wrong', { attempts: 2 ** 40 });
    const results = await Promise.allSettled([letter('a'), wrong, letter('b')].map((one) => writer.add(one)));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await count()).toBe(2);
  });

  it('that came before midnight are not written again after it', async () => {
    await repository().add([letter('e1'), letter('e2', { output: 1 })]);
    await sql('UPDATE dead_letters SET day = day - 1');
    await repository().add([letter('e1'), letter('e2', { output: 1 }), letter('e2', { output: 2 }), letter('e3')]);
    const rows = await sql<{ name: string }[]>(
      `SELECT event_key || coalesce('/' || output, '') AS name FROM dead_letters ORDER BY name`,
    );
    expect(rows.map(({ name }) => name)).toEqual(['e1', 'e2/1', 'e2/2', 'e3']);
  });

  it('that die again after a replay that failed halfway are letters again, and not taken by its retry', async () => {
    const destinationId = newKsuid();
    const replays = new ReplayRepository(database.dataSource);
    const only = async () =>
      (await new DeliveryListRepository(database.dataSource).list(ids.workspaceId, {})).deliveries;
    await repository().add([letter('e1', { destinationId })]);
    const [before] = await only();
    await replays.request(ids.workspaceId, { destinationId });
    const refused = letter('e1', { destinationId, stage: 'delivery', reason: 'no', status: 400, attempts: 2 });
    let dying: Promise<void> | undefined;
    const failHalfway = async () => {
      dying = repository()
        .add([refused, refused])
        .then(() => undefined); // waits for the transaction
      throw new Error('the broker went away');
    };
    await expect(replays.take(destinationId, TWO, failHalfway)).rejects.toThrow('went away');
    await dying;
    expect(await replays.take(destinationId, TWO, async () => undefined)).toEqual([]);
    const letters = await only();
    expect(letters).toMatchObject([{ reason: 'no', responseStatus: 400 }]);
    // its next replay has another name, so the queue does not take it for the one before
    expect(letters[0]?.id).not.toBe(before?.id);
    expect(letters[0]?.replayRequestedAt).toBeUndefined();
    const counted = `SELECT sum(events)::int AS count FROM delivery_counts WHERE name = 'dead' AND destination_id = $1`;
    expect(await sql(counted, [destinationId])).toEqual([{ count: 1 }]);
  });

  it('of yesterday that die again while their replay is being written are not lost with it', async () => {
    const destinationId = newKsuid();
    const replays = new ReplayRepository(database.dataSource);
    await repository().add([letter('e1', { destinationId })]);
    await sql('UPDATE dead_letters SET day = day - 1');
    await replays.request(ids.workspaceId, { destinationId });
    const dieAgain = async () => void (await repository().add([letter('e1', { destinationId, reason: 'no' })]));
    expect(await replays.take(destinationId, TWO, dieAgain)).toHaveLength(1);
    expect(await sql('SELECT reason, replay_at FROM dead_letters')).toEqual([{ reason: 'no', replay_at: null }]);
  });

  it('of a user are purged over all days, however many there are', async () => {
    const event = trackEvent({ userId: 'gone' });
    await repository().add(Array.from({ length: 6_000 }, (_, n) => letter(`e${n}`, { event })));
    await sql(`UPDATE dead_letters SET day = day - 20 WHERE event_key < 'e3'`);
    await repository().add([letter('other')]);
    await purge(['userId=gone']);
    expect(await count()).toBe(1);
  });
});

describe('the bytes of a workspace', () => {
  const BYTES = 1_000_000;
  const large = (n: number) => trackEvent({ properties: { n, text: 'x'.repeat(100_000) } });
  const keptAs = (metrics: string, kept: string) => Number(new RegExp(`kept="${kept}".* ([0-9]+)`).exec(metrics)?.[1]);

  it('bound its letters of a day: further ones lose their event, then their row, and none its count', async () => {
    const metrics = new Metrics('test');
    const first = repository(BYTES, metrics);
    const letters = Array.from({ length: 30 }, (_, n) =>
      letter(`e${n}`, { destinationId: newKsuid(), event: large(n) }),
    );
    for (const one of letters) await first.add([one]);
    const whole = await count('event IS NOT NULL');
    expect(whole).toBe(9);
    expect(await count()).toBe(30);
    const many = Array.from({ length: 1_000 }, (_, n) => letter(`small ${n}`));
    await first.add(many);
    const [{ bytes } = { bytes: 0 }] = await sql<{ bytes: number }[]>(
      'SELECT bytes::float8 AS bytes FROM dead_letter_sizes WHERE workspace_id = $1',
      [ids.workspaceId],
    );
    expect(bytes).toBeLessThanOrEqual((BYTES * 9) / 8);
    const counted = `SELECT sum(events)::int AS count FROM delivery_counts WHERE name = 'dead' AND workspace_id = $1`;
    expect(await sql(counted, [ids.workspaceId])).toEqual([{ count: 1_030 }]);
    const told = await metrics.text();
    expect([keptAs(told, 'whole'), keptAs(told, 'counted')]).toEqual([
      await count('event IS NOT NULL'),
      1_030 - ((await count()) ?? 0),
    ]);
    await repository(BYTES).add([letter('of a process that does not know yet', { event: large(0) })]);
    expect(await sql(counted, [ids.workspaceId])).toEqual([{ count: 1_031 }]);
    const stranger = { ...letter('other', { event: large(1) }), workspaceId: newKsuid() };
    await first.add([stranger]);
    expect(await count('workspace_id = $1 AND event IS NOT NULL', [stranger.workspaceId])).toBe(1);
  });

  it('are taken once by letters that are written again', async () => {
    const one = repository(BYTES);
    for (let n = 0; n < 20; n += 1) await one.add([letter('again', { event: large(0) })]);
    await one.add([letter('next', { event: large(1) })]);
    expect(await count('event IS NOT NULL')).toBe(2);
  });

  it('are not needed for the letter that a replay had removed, and none of it is lost', async () => {
    const full = repository(1_000);
    await full.add([letter('another', { event: large(0) }), letter('again', { event: large(1), isReturned: true })]);
    await full.add([letter('third', { event: large(2), isReturned: true })]);
    const kept = await sql<{ name: string }[]>('SELECT event_key AS name FROM dead_letters WHERE event IS NOT NULL');
    expect(kept.map(({ name }) => name).sort()).toEqual(['again', 'third']);
  });

  it('leave what has no event listed as such, and out of replays', async () => {
    const destinationId = newKsuid();
    await repository(BYTES).add([letter('whole', { destinationId })]);
    await repository(1_000).add([letter('bare', { destinationId, event: large(0) })]);
    const list = new DeliveryListRepository(database.dataSource);
    const { deliveries } = await list.list(ids.workspaceId, { destinationId });
    expect(deliveries).toMatchObject([{ reason: 'full', eventDropped: true }, { reason: 'full' }]);
    expect(deliveries[1]).not.toHaveProperty('eventDropped');
    const found = await list.find(ids.workspaceId, deliveries[0]?.id ?? '');
    expect(found).not.toHaveProperty('event');
    const replays = new ReplayRepository(database.dataSource);
    for (const selection of [{ destinationId }, { ids: deliveries.map(({ id }) => id) }])
      expect(await replays.request(ids.workspaceId, selection)).toMatchObject({ deliveries: 1 });
    expect(await replays.take(destinationId, TWO, async () => undefined)).toMatchObject([{ eventKey: 'whole' }]);
  });
});

describe('a deletion', () => {
  const gone = (eventKey: string, receivedAt: string) =>
    letter(eventKey, { event: trackEvent({ userId: 'gone' }), receivedAt });
  const later = () => new Date(Date.now() + 60_000).toISOString();

  it('keeps out what was decided before it and is written after it', async () => {
    await fence().raise(ids.workspaceId, [identifierKeyOf('userId=gone')]);
    const letters = [gone('before', receivedAt), letter('other'), gone('after', later())];
    expect(await repository().add(letters)).toEqual(['suppressed', 'dead', 'dead']);
    const rows = await sql<{ event_key: string }[]>('SELECT event_key FROM dead_letters ORDER BY event_key');
    expect(rows.map((row) => row.event_key)).toEqual(['after', 'other']);
    expect(await repository().add([{ ...gone('of others', receivedAt), workspaceId: newKsuid() }])).toEqual(['dead']);
  });

  it('waits for a write that a slow database holds up, and then finds it', async () => {
    const holder = database.dataSource.createQueryRunner();
    await holder.startTransaction();
    await holder.query('LOCK TABLE dead_letter_sizes IN ACCESS EXCLUSIVE MODE');
    const written = repository().add([gone('slow', receivedAt)]);
    await until('the write to wait', async () => (await waitingForLocks(database.dataSource)) === 1);
    const deleted = fence()
      .raise(ids.workspaceId, [identifierKeyOf('userId=gone')])
      .then(() => purge(['userId=gone']));
    await until('the purge to wait, too', async () => (await waitingForLocks(database.dataSource)) === 2);
    await holder.commitTransaction();
    await holder.release();
    expect(await written).toEqual(['dead']);
    await deleted;
    expect(await count()).toBe(0);
  });
});

describe('days', () => {
  it('that are too old go as a whole', async () => {
    await database.dataSource.transaction((tx) => addDays(tx, 'dead_letters', -40, -30));
    await sql(`
      INSERT INTO dead_letters (workspace_id, destination_id, source_id, event_key, stage, reason, attempts, event, match_keys,
                                received_at, day)
      SELECT 'w', 'd', 's', 'e' || n, 'queue', 'full', 0, '{}', '{}', now(), (now() AT TIME ZONE 'UTC')::date - 30 - n % 5
      FROM generate_series(1, ${MANY}) AS n`);
    await days().removeOld();
    expect(await count()).toBe(MANY / 5);
    expect((await partitions())[0]).toBe(await partition(-30));
  });

  it('are ready for a week; one that is missing is made when it is needed', async () => {
    expect(await partitions()).toContain(weekReady);
    const today = await partition(0);
    await sql(`DROP TABLE ${today}`);
    await repository().add([letter('e1')]);
    expect(await count()).toBe(1);
    expect(await partitions()).toContain(today);
  });

  it('are made by any number of processes at once', async () => {
    await sql(`DROP TABLE IF EXISTS ${await partition(6)}, ${await partition(7)}`);
    await Promise.all([days().prepare(), days().prepare(), days().prepare()]);
    expect(await partitions()).toEqual([...new Set(await partitions())]);
    expect(await partitions()).toContain(await partition(7));
  });
});

describe('the migration from one table', () => {
  afterAll(() => database.dataSource.runMigrations());

  it('keeps what is not too old, with ids, and goes on counting', async () => {
    for (const _ of migrations.slice(migrations.indexOf(DeadLettersByDay1764000000008))) {
      await database.dataSource.undoLastMigration();
    }
    await sql(
      `
      INSERT INTO dead_letters (workspace_id, destination_id, source_id, event_key, stage, reason, attempts, event, match_keys,
                                received_at, created_at, output)
      SELECT $1, $2, $2, 'e' || n, 'queue', 'full', 0,
             '{}',
             '{userId=u}', now(), now() - n * interval '10 days', n
      FROM generate_series(0, 5) AS n`,
      [ids.workspaceId, ids.destinationId],
    );
    const before = await sql<{ id: string }[]>('SELECT id FROM dead_letters WHERE output <= 3 ORDER BY id');
    await database.dataSource.runMigrations();
    await repository().add([letter('new')]);
    const rows = await sql<{ id: string }[]>('SELECT id FROM dead_letters ORDER BY id');
    const expected = [...before.map(({ id }) => id), String(Number(before[0]?.id) + 6)];
    expect(rows.map(({ id }) => id)).toEqual(expected);
  });
});
