import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { until, useDatabase, useNats } from '@weir/testing';
import { createApp } from '../src/app.module.js';
import { readConfig } from '../src/config.js';
import { migrations } from '../src/migrations/index.js';

const database = useDatabase('gateway', migrations);
const nats = useNats();
/** `service-kit`'s `run.ts` ends a process by force after this and cuts off anything still running. */
const STOP_DEADLINE_MS = 12_000;

describe('a gateway that stops', () => {
  let app: NestFastifyApplication;
  let port: number;
  let agent: Agent;

  beforeEach(async () => {
    const WEIR_ENCRYPTION_KEY = Buffer.alloc(32, 1).toString('base64');
    const env = { LOG_LEVEL: 'fatal', DATABASE_URL: database.url, NATS_URL: nats.url, WEIR_ENCRYPTION_KEY };
    ({ app } = await createApp(readConfig(env)));
    await app.listen(0, '127.0.0.1');
    port = (app.getHttpServer().address() as AddressInfo).port;
    agent = new Agent({ keepAlive: true, maxSockets: 1 });
  });

  afterEach(() => agent.destroy());

  const ask = async () => {
    const [answer] = (await once(get({ port, path: '/livez', agent }), 'response')) as [IncomingMessage];
    answer.resume();
    await once(answer, 'end');
    return { status: answer.statusCode, connection: answer.headers.connection };
  };

  async function newConnection(): Promise<Socket> {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  }

  it('does not wait for connections that were opened in advance', async () => {
    const socket = await newConnection();
    const ended = once(socket, 'close');
    const late = sleep(STOP_DEADLINE_MS, 'late', { ref: false });
    expect(await Promise.race([app.close().then(() => 'closed'), late])).toBe('closed');
    await ended;
  });

  it('answers whoever still asks, and tells them to leave', async () => {
    expect(await ask()).toEqual({ status: 200, connection: 'keep-alive' });
    const closed = app.close();
    await until('it to tell them to leave', async () => (await ask()).connection === 'close');
    expect(await ask()).toEqual({ status: 200, connection: 'close' });
    await closed;
    await expect(ask()).rejects.toThrow('ECONNREFUSED');
  });
});
