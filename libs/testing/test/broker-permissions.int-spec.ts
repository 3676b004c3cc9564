import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NatsConnection } from '@nats-io/transport-node';
import { startNats } from '@weir/local-servers';
import { connectNats } from '@weir/messaging';
import { PATIENCE_MS } from '../src/index.js';

const folder = mkdtempSync(join(tmpdir(), 'weir-permissions-'));
let broker: Awaited<ReturnType<typeof startNats>>;
const connections: NatsConnection[] = [];

beforeAll(async () => {
  broker = await startNats(folder);
});
afterAll(async () => {
  await Promise.all(connections.map((connection) => connection.close()));
  await broker.server.stop(1_000);
  rmSync(folder, { recursive: true, force: true });
});

async function connectAs(user: string): Promise<NatsConnection> {
  const connection = await connectNats(broker.userUrls[user] ?? '', user);
  connections.push(connection);
  return connection;
}

/** The server's refusal of a publish or a subscription. Empty if it accepts. */
async function refusalOf(user: string, verb: 'publish' | 'subscribe', subject: string): Promise<string> {
  const connection = await connectAs(user);
  const refusals: string[] = [];
  const listening = (async () => {
    for await (const status of connection.status()) if (status.type === 'error') refusals.push(status.error.message);
  })();
  if (verb === 'publish') connection.publish(subject, 'x');
  else connection.subscribe(subject, { callback: () => undefined });
  await connection.flush();
  await connection.close();
  await listening;
  return refusals.join();
}

describe('the broker', () => {
  it.each([
    ['sandbox', 'publish', 'registry.transformation.create.v1'],
    ['sandbox', 'publish', '$JS.API.STREAM.NAMES'],
    ['sandbox', 'subscribe', 'events.accepted.>'],
    ['fetcher', 'publish', 'sandbox.code.run.v1'],
    ['registry', 'subscribe', '_INBOX_gateway.>'],
    ['registry', 'publish', '$KV.INVENTORY.destination.d1'],
    ['schemas', 'subscribe', '$KV.INVENTORY.>'],
    ['collector', 'publish', 'events.accepted.0.w.s'],
    ['filter', 'publish', '$JS.API.STREAM.DELETE.EVENTS_RAW'],
    ['gateway', 'publish', 'runner.fetch.v1'],
    ['gateway', 'publish', 'runner.user.purge.v1'],
    ['runner', 'publish', 'deliveries.d1'],
    ['deliverer', 'publish', '$JS.API.CONSUMER.MSG.NEXT.EVENTS_ACCEPTED.collector-0'],
  ] as const)('refuses %s to %s %s', async (user, verb, subject) => {
    expect(await refusalOf(user, verb, subject)).toMatch(/permissions violation/i);
  });

  it('lets those speak who have to, and lets the asked answer', async () => {
    const schemas = await connectAs('schemas');
    schemas.subscribe('schema.user.purge.v1', { callback: (_error, message) => void message.respond('done') });
    await schemas.flush();
    const answer = await (await connectAs('eraser')).request('schema.user.purge.v1', 'x', { timeout: PATIENCE_MS });
    expect(answer.string()).toBe('done');
  });

  it('knows nobody else', async () => {
    const stranger = new URL(broker.url);
    stranger.password = 'wrong';
    await expect(connectNats(stranger.href, 'stranger')).rejects.toThrow(/authorization/i);
  });
});
