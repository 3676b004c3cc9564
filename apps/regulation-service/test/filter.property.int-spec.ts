import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newKsuid } from '@weir/service-kit';
import { until, useDatabase, useNats } from '@weir/testing';
import { SCHEMA } from '../src/schema.js';
import { newFilter, type RunningFilter, type Source, takeIn, track, untilFiltered } from './filter.fixtures.js';
import { seeded, type Workspace, workspaceOf } from './fixtures.js';
import { type AskedRegulation, type History, leaks, losses, newHistory, watchAccepted } from './history.js';

/** WEIR_TEST_FULL=1 uses the numbers of the promise. Otherwise the same test takes a few seconds. */
const IS_FULL = process.env['WEIR_TEST_FULL'] === '1';
const SEEDS = Array.from({ length: IS_FULL ? 20 : 2 }, (_, n) => 101 + n);
const USERS = Array.from({ length: 1_000 }, (_, n) => `user-${n}`);
const RUN_MS = IS_FULL ? 8_000 : 3_500;
const SOURCES = 4;
const EVENTS_PER_SECOND = 1_000;
const EVENTS_PER_BATCH = 10;
const REGULATORS = 3;
/** Users per request. */
const REQUEST_USERS_MAX = 30;
/**
 * Minimum events that pass and minimum events that are stopped. Otherwise a run shows nothing, because a slow machine regulates
 * more than it sends.
 */
const ON_EACH_SIDE = 100;

const db = useDatabase(SCHEMA.name, SCHEMA.migrations, SCHEMA.entities);
const nats = useNats();

interface Run {
  history: History;
  workspace: Workspace;
  sources: Source[];
  endsAt: number;
  /** Users of the request under way. Their events come shortly before and after its answer, where a leak would be. */
  hot: string[];
}

/** Sends a steady stream of events of the users, whatever else happens. */
async function sendEvents(run: Run, source: Source, random: () => number): Promise<void> {
  const { history, endsAt } = run;
  const pick = (users: string[]) => users[Math.floor(random() * users.length)];
  const gapMs = (1_000 * EVENTS_PER_BATCH * SOURCES) / EVENTS_PER_SECOND;
  const taken: Promise<unknown>[] = [];
  for (let at = Date.now(); at < endsAt; at += gapMs) {
    await delay(Math.max(0, at - Date.now()));
    const intakeAt = history.tick();
    const events = Array.from({ length: EVENTS_PER_BATCH }, () => {
      const n = history.tick();
      const userId = pick(random() < 0.7 ? run.hot : USERS) ?? '';
      history.events.set(n, { userId, sourceId: source.sourceId, intakeAt });
      return track(userId, n);
    });
    taken.push(takeIn(nats.connection, source, ...events));
  }
  await Promise.all(taken);
}

/** Regulates its share of the users, some of them twice and for other sources, and cancels some regulations. */
async function regulate(run: Run, share: string[], random: () => number): Promise<void> {
  const { history, workspace, sources, endsAt } = run;
  const waiting = [...share, ...share.filter(() => random() < 0.3)];
  const requests = waiting.length / (REQUEST_USERS_MAX / 2);
  const pauseMs = ((endsAt - Date.now()) * 0.8) / requests;
  const active: { id: string; record: AskedRegulation }[] = [];
  while (waiting.length > 0) {
    await delay(random() * pauseMs);
    const users = waiting.splice(0, 1 + Math.floor(random() * REQUEST_USERS_MAX));
    const source = sources[Math.floor(random() * sources.length)];
    const sourceIds = source && random() < 0.4 ? [source.sourceId] : null;
    run.hot = users;
    const records = users.map((userId) => history.ask(userId, sourceIds));
    const ids = await workspace.create({ users: users.map((userId) => ({ userId })), sourceIds });
    for (const [index, record] of records.entries()) {
      record.answeredAt = history.tick();
      active.push({ id: ids[index] ?? '', record });
    }
    const cancels = Math.floor(random() * users.length * 0.5);
    for (let n = 0; n < cancels; n += 1) {
      const [one] = active.splice(Math.floor(random() * active.length), 1);
      if (one) await cancel(run, one.id, one.record);
    }
  }
}

async function cancel({ history, workspace }: Run, id: string, record: AskedRegulation): Promise<void> {
  record.cancelAskedAt = history.tick();
  await workspace.cancel(id);
  record.cancelAnsweredAt = history.tick();
}

describe('a thousand users who are suppressed while their events flow', () => {
  let filters: RunningFilter[] = [];
  beforeAll(async () => {
    filters = [1, 2].map(() => newFilter(nats.connection, db.dataSource).service);
    for (const filter of filters) filter.onApplicationBootstrap();
    const owned = () => db.dataSource.query('SELECT FROM leases WHERE owner IS NOT NULL');
    await until('every partition to be filtered', async () => (await owned()).length === 16);
  });
  afterAll(async () => {
    await Promise.all(filters.map((filter) => filter.onModuleDestroy()));
  });

  it.each(SEEDS)(
    'leak no event whose intake began after the answer, and nobody else loses one: seed %d',
    async (seed) => {
      const workspace = workspaceOf(db.dataSource);
      const sources = Array.from({ length: SOURCES }, () => ({
        workspaceId: workspace.workspaceId,
        sourceId: newKsuid(),
      }));
      const run: Run = { history: newHistory(), workspace, sources, endsAt: Date.now() + RUN_MS, hot: USERS };
      const { history } = run;
      const stopWatching = watchAccepted(nats.connection, history);
      const shareOf = (regulator: number) => USERS.filter((_, n) => n % REGULATORS === regulator);
      await Promise.all([
        ...sources.map((source, n) => sendEvents(run, source, seeded(seed * 31 + n))),
        ...Array.from({ length: REGULATORS }, (_, n) => regulate(run, shareOf(n), seeded(seed + n))),
      ]);
      await untilFiltered(nats.connection);
      await stopWatching();

      expect(leaks(history)).toEqual([]);
      expect(losses(history)).toEqual([]);
      // The run is meaningful: all users were regulated, at the promised rate, with many events on both sides.
      expect(USERS.filter((userId) => history.regulationsOf(userId).length === 0)).toEqual([]);
      expect(history.events.size).toBeGreaterThanOrEqual((RUN_MS / 1_000) * EVENTS_PER_SECOND * 0.95);
      expect(history.passedAt.size).toBeGreaterThanOrEqual(ON_EACH_SIDE);
      expect(history.events.size - history.passedAt.size).toBeGreaterThanOrEqual(ON_EACH_SIDE);
    },
  );
});
