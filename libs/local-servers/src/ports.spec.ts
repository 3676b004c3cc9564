import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { endpointOf, freePort, LOOPBACK } from './ports.js';

it('gives each caller a port of its own, which no outgoing connection can take', async () => {
  const ports = await Promise.all(Array.from({ length: 300 }, freePort));
  expect(new Set(ports).size).toBe(ports.length);
  expect(Math.max(...ports)).toBeLessThan(32_768);
});

it('holds a port for as long as this process lives, against other processes too', async () => {
  const other = createSocket('udp4');
  other.bind({ address: LOOPBACK, port: await freePort(), exclusive: true });
  const [error] = await once(other, 'error');
  expect(error).toMatchObject({ code: 'EADDRINUSE' });
});

describe('endpointOf', () => {
  it.each([
    ['postgres://user:pass@db.internal/weir', { host: 'db.internal', port: 5432 }],
    ['postgresql://db:6000/weir', { host: 'db', port: 6000 }],
    ['nats://127.0.0.1', { host: '127.0.0.1', port: 4222 }],
    ['not a url', undefined],
    ['http://example.com/', undefined],
  ])('%s', (url, endpoint) => {
    expect(endpointOf(url)).toEqual(endpoint);
  });
});
