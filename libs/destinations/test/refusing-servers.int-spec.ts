import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { REPEATING_SERVERS, type RepeatingServer, until } from '@weir/testing';
import type { OutboundConnection } from '../src/kind.js';
import { destinationKind } from '../src/registry.js';
import { openOutbound } from './redis.fixtures.js';
import { openSession } from './session.fixtures.js';

const LOGIN: Record<string, object> = {
  KAFKA: { password: 'hush' },
  NATS: { password: 'hush' },
  POSTGRES: { password: 'hush' },
  REDIS: { password: 'hush' },
};
const EVENT = { type: 'identify', userId: 'ada', traits: { plan: 'pro' } };
const DELIVERIES = 3;

let server: RepeatingServer | undefined;
afterEach(() => server?.close());

describe('a session whose server refuses and keeps its end of the connection open', () => {
  it.each(Object.keys(LOGIN))('%s leaves no socket open, however often it is tried', async (name) => {
    server = await REPEATING_SERVERS[name]?.();
    const kind = destinationKind(name);
    if (!kind || !server) throw new Error(`there is no kind ${name}`);
    const sockets: Socket[] = [];
    const way = openOutbound();
    const connect = async (where: OutboundConnection) => {
      const socket = await way.outbound.connect(where);
      sockets.push(socket);
      return socket;
    };
    const recorded = { ...way, outbound: { ...way.outbound, connect } };
    const { deliver, session } = openSession(kind, { ...server.config, ...LOGIN[name] }, recorded);
    for (let n = 0; n < DELIVERIES; n += 1) await deliver(EVENT).catch(() => undefined);
    expect(sockets.length).toBeGreaterThanOrEqual(DELIVERIES);
    await session.close();
    const open = () => sockets.filter(({ destroyed }) => !destroyed).length;
    await until('every socket to be closed', () => open() === 0);
  });
});
