import { afterEach, describe, expect, it } from '@jest/globals';
import { REPEATING_SERVERS, type RepeatingServer, until } from '@weir/testing';
import { destinationKind } from '../src/registry.js';
import { openOutbound } from './redis.fixtures.js';
import { openSession } from './session.fixtures.js';

const EVENT = { type: 'identify', userId: 'ada', traits: { plan: 'pro' } };
const DELIVERIES = 3;

let server: RepeatingServer | undefined;
afterEach(() => server?.close());

describe('a session whose server refuses and keeps its end of the connection open', () => {
  it.each(['KAFKA', 'NATS', 'POSTGRES', 'REDIS'])(
    '%s leaves no socket open, however often it is tried',
    async (name) => {
      server = await REPEATING_SERVERS[name]?.();
      const kind = destinationKind(name);
      if (!kind || !server) throw new Error(`there is no kind ${name}`);
      const way = openOutbound();
      const { deliver, session } = openSession(kind, { ...server.config, password: 'hush' }, way);
      for (let n = 0; n < DELIVERIES; n += 1) await deliver(EVENT).catch(() => undefined);
      expect(way.sockets.length).toBeGreaterThanOrEqual(DELIVERIES);
      await session.close();
      await until('every socket to be closed', () => way.sockets.every(({ destroyed }) => destroyed));
    },
  );
});
