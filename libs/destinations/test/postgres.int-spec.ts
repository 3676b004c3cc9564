import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { until, useDatabase } from '@weir/testing';
import pg from 'pg';
import postgres from '../src/kinds/postgres/postgres.js';
import { breakable, itemsFor, type OpenTestSession, openSession, refusal, refusing } from './session.fixtures.js';

const database = useDatabase('runner', []);
const opened: OpenTestSession[] = [];
let admin: pg.Client;

beforeEach(async () => {
  admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
});
afterEach(async () => {
  for (const { session } of opened.splice(0)) await session.close();
  await admin.query('DROP TABLE IF EXISTS weir_events; DROP SCHEMA IF EXISTS "Own; schema" CASCADE');
  await admin.end();
});

function config(more: JsonObject = {}): JsonObject {
  const { hostname, port, username, password, pathname } = new URL(database.adminUrl);
  const login = { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  return { host: hostname, port, database: pathname.slice(1), ...login, ...more };
}
function open(more: JsonObject = {}, way?: Parameters<typeof openSession>[2]): OpenTestSession {
  const session = openSession(postgres, config(more), way);
  opened.push(session);
  return session;
}
const rowsOf = async (table = 'weir_events') => (await admin.query(`SELECT * FROM ${table} ORDER BY id`)).rows;
const paid = { type: 'track', event: 'Paid', userId: 'ada', messageId: 'm1', timestamp: '2026-01-31T23:59:59.000Z' };

describe('a delivery to Postgres', () => {
  it('makes the table and writes a row for each event', async () => {
    const { deliver, connections } = open();
    const events = [paid, { type: 'page', anonymousId: 'anon-1', timestamp: 'soon' }];
    expect(await deliver(...events)).toEqual([
      { status: 200, response: '' },
      { status: 200, response: '' },
    ]);
    expect(await rowsOf()).toEqual([
      expect.objectContaining({
        ...{ message_id: 'm1', type: 'track', event: 'Paid', user_id: 'ada', anonymous_id: null, payload: paid },
        sent_at: new Date(paid.timestamp),
      }),
      expect.objectContaining({ message_id: null, anonymous_id: 'anon-1', sent_at: null, payload: events[1] }),
    ]);
    expect(connections).toHaveLength(1);
  });

  it('leaves a row as it is when the same message comes again', async () => {
    const { session } = open();
    const items = itemsFor(postgres, config(), [paid]);
    await session.deliver(items);
    await admin.query(`UPDATE weir_events SET event = 'Seen'`);
    expect(await session.deliver(items)).toMatchObject([{ status: 200 }]);
    expect(await rowsOf()).toMatchObject([{ event: 'Seen' }]);
  });

  it('writes to the schema and table of the configuration, whatever their names', async () => {
    await admin.query('CREATE SCHEMA "Own; schema"');
    const { deliver } = open({ namespace: 'Own; schema', table: 'my "events"' });
    expect(await deliver(paid)).toMatchObject([{ status: 200 }]);
    expect(await rowsOf('"Own; schema"."my ""events"""')).toHaveLength(1);
  });

  it('keeps what Postgres cannot store from holding up the rest', async () => {
    const { deliver } = open();
    const odd = { ...paid, properties: { 'a\u0000b': 'c\u0000d', half: '\ud800' } };
    expect(await deliver(odd)).toMatchObject([{ status: 200 }]);
    expect((await rowsOf())[0].payload.properties).toEqual({ 'a\ufffdb': 'c\ufffdd', half: '\ufffd' });
    await admin.query('ALTER TABLE weir_events ALTER event TYPE varchar(10)');
    const results = await deliver({ ...paid, event: 'far too long a name' }, paid);
    expect(results).toEqual([
      { status: 400, response: 'Postgres cannot store the event (22001)' },
      { status: 200, response: '' },
    ]);
  });

  it('is tried again when rights are missing', async () => {
    const { deliver } = open({ namespace: 'not_there' });
    expect(await deliver(paid)).toEqual([{ status: 503, response: 'Postgres answered 3F000' }]);
  });

  it('connects anew after a loss', async () => {
    const way = breakable();
    const { deliver } = open({}, way);
    await deliver(paid);
    way.break();
    await until('the new connection', async () => (await deliver(paid))[0]?.status === 200);
    expect(way.connections.length).toBe(2);
    expect(await rowsOf()).toHaveLength(2);
  });

  it('refuses to go without the encryption that was asked for', async () => {
    expect(await open({ sslMode: 'require' }).deliver(paid)).toEqual([
      { status: 503, response: 'Postgres could not be reached: The server does not support SSL connections' },
    ]);
  });

  it('passes on that the way out refused', async () => {
    await expect(open({}, refusing()).deliver(paid)).rejects.toBe(refusal);
  });

  it('is tried again with a user who may not enter', async () => {
    const results = await open({ user: 'nobody_of_that_name' }).deliver(paid);
    expect(results).toEqual([{ status: 503, response: expect.stringMatching(/^Postgres answered 28/) }]);
  });

  it('ends its connection', async () => {
    const { session, deliver } = open();
    await deliver(paid);
    await session.close();
    expect(await deliver(paid)).toMatchObject([{ status: 503 }]);
  });
});
