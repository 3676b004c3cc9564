import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NatsConnection } from '@nats-io/transport-node';
import { findNatsServer, isReliableServer, startNats } from '@weir/local-servers';
import { connectNats, ensureTopology } from '@weir/messaging';
import { hooks } from './hooks.js';
import { markInventory } from './inventory.js';
import { until } from './until.js';

export interface TestNats {
  readonly url: string;
  /** The test's own connection, closed after the last test. */
  readonly connection: NatsConnection;
  /** Kills the server with SIGKILL. Resolves when it is back on the same port and `connection` is restored. */
  restart(): Promise<void>;
  /** Takes the server away until `resume`. */
  hold(): Promise<void>;
  resume(): Promise<void>;
}

/**
 * Whether the broker of the tests, with that many servers, keeps every message when they are killed. With another one, tests that kill
 * it under load prove nothing about Weir.
 */
export const isTestBrokerReliable = async (servers = 1): Promise<boolean> =>
  isReliableServer(await findNatsServer({ path: process.env['PATH'] ?? '' }), servers);

type Running = Awaited<ReturnType<typeof open>>;

const STOP_GRACE_MS = 3_000;

/**
 * Starts a NATS server for this test file with every stream and consumer and a complete inventory. Call it at the top of the file
 * or of a `describe`. Fails the file if it leaves a connection open.
 */
export function useNats(): TestNats {
  let running: Running | undefined;
  hooks().beforeAll(async () => {
    running = await open();
  });
  hooks().afterAll(async () => {
    if (running) await close(running);
  });
  const ready = () => {
    if (!running) throw new Error('the NATS server is there once beforeAll has run: use it inside of tests and hooks');
    return running;
  };
  return {
    get url() {
      return ready().url;
    },
    get connection() {
      return ready().connection;
    },
    restart: async () => {
      const back = reconnected(ready().connection);
      ready().server.signal('SIGKILL');
      await back;
    },
    hold: () => ready().server.stop(STOP_GRACE_MS),
    resume: async () => {
      const back = reconnected(ready().connection);
      await ready().server.start();
      await back;
    },
  };
}

/** Waits for the connection. A request before that would only time out. */
async function reconnected(connection: NatsConnection): Promise<void> {
  for await (const { type } of connection.status()) if (type === 'reconnect') return;
}

async function open() {
  const folder = mkdtempSync(join(tmpdir(), 'weir-test-nats-'));
  const server = await startNats(folder);
  const connection = await connectNats(server.url, 'test');
  await ensureTopology(connection);
  await markInventory(connection);
  return { ...server, connection, folder };
}

async function close({ server, connection, folder, monitorUrl }: Running): Promise<void> {
  await connection.close();
  try {
    await assertNoClients(monitorUrl);
  } finally {
    await server.stop(STOP_GRACE_MS);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function assertNoClients(monitorUrl: string): Promise<void> {
  let names: string[] = [];
  const closed = async () => {
    const answer = await fetch(`${monitorUrl}/connz`);
    const { connections } = (await answer.json()) as { connections: { name?: string }[] };
    names = connections.map(({ name }) => name ?? 'without a name');
    return names.length === 0;
  };
  await until('clients to leave', closed).catch((cause) => {
    throw new Error(`this file left NATS connections open: ${names.join(', ')}`, { cause });
  });
}
