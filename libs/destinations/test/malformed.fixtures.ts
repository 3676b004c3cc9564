import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { JsonObject } from '@weir/contracts';

/** A server that sends what the test wants, when a connection begins (without bytes) and whenever bytes arrive. */
export type Script = (socket: Socket, bytes?: Buffer) => void;

export interface ScriptedServer {
  port: number;
  close(): Promise<void>;
}

export async function scripted(script: Script): Promise<ScriptedServer> {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket.once('close', () => sockets.delete(socket)));
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => script(socket, bytes));
    script(socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    await once(server.close(), 'close');
  };
  return { port: (server.address() as AddressInfo).port, close };
}

/** Configuration that leads a destination of a kind to a port of this machine. */
export const CONFIGS: Record<string, (port: number) => JsonObject> = {
  KAFKA: (port) => ({ hostName: '127.0.0.1', port: `${port}`, topic: 'events' }),
  NATS: (port) => ({ servers: `127.0.0.1:${port}`, subject: 'events' }),
  POSTGRES: (port) => ({ host: '127.0.0.1', port: `${port}`, database: 'events', user: 'ada', password: 'hush' }),
  REDIS: (port) => ({ address: `127.0.0.1:${port}` }),
  S3: (port) => ({
    ...{ bucketName: 'bucket-1', region: 'us-east-1', endPoint: `http://127.0.0.1:${port}` },
    ...{ useSSL: false, s3ForcePathStyle: true, accessKeyID: 'ada', accessKey: 'hush' },
  }),
};

/** Numbers that look random and are the same in every run (mulberry32). */
export function randomBytes(seed: number, length: number): Buffer {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (t ^ (t >>> 14)) & 255;
  };
  return Buffer.from(Array.from({ length }, next));
}

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
const KAFKA_HEAD = '7fffffff 00000000';

/** Answers to the first bytes of a client that are no answers, by kind. */
export const MALFORMED: Record<string, Record<string, Buffer>> = {
  POSTGRES: {
    'a frame that is too short': hex('4b 00 00 00 04'),
    'an error that does not end': hex('45 00 00 00 05 53'),
    'a notice that does not end': hex('4e 00 00 00 05 4d'),
    'a negative count of columns': hex('54 00 00 00 06 ffff'),
    'an unknown login': hex('52 00 00 00 08 000000ff'),
    'a frame of length 0': hex('5a 00 00 00 00'),
    'a frame of two gigabytes': hex('44 7fffffff 0001'),
  },
  KAFKA: {
    'a frame of length 0': hex('00 00 00 00'),
    'a negative length': hex('ff ff ff fc 00 00 00 00'),
    'a frame of two gigabytes': hex(KAFKA_HEAD),
    'an array of 33 million elements': hex('0000000e 00000000 0000 01ffffff 0000 0000'),
    'an array of two thousand million': hex('0000000e 00000000 0000 7fffffff 0000 0000'),
    'half a frame': hex('000000ff 00000000'),
  },
  REDIS: {
    'an array of four thousand million': Buffer.from('*4294967296\r\n'),
    'an array of 33 million': Buffer.from('*33554431\r\n*33554431\r\n*33554431\r\n*33554431\r\n'),
    'arrays in arrays': Buffer.from('*1\r\n'.repeat(100_000)),
    'a text of four gigabytes': Buffer.from('$4294967296\r\nab'),
    'an unknown type': Buffer.from('!boom\r\n'),
  },
  // The first three are greetings of their own, because a client of NATS waits for one.
  NATS: {
    'no JSON': Buffer.from('INFO {"server_id\r\n'),
    'JSON that is no object': Buffer.from('INFO null\r\n'),
    'a message without subscription': Buffer.from('INFO {}\r\nMSG a 1 4294967296\r\n'),
    'an unknown word': Buffer.from('HELLO\r\n'),
  },
  S3: {
    'no HTTP': Buffer.from('ok\r\n\r\n'),
    'two lengths': Buffer.from('HTTP/1.1 403 No\r\ncontent-length: 5\r\ncontent-length: 7\r\n\r\nhello'),
    'a negative length': Buffer.from('HTTP/1.1 403 No\r\ncontent-length: -1\r\n\r\n'),
    'a chunk of no size': Buffer.from('HTTP/1.1 403 No\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n'),
    'an error that is no XML': Buffer.from('HTTP/1.1 403 No\r\ncontent-length: 5\r\n\r\n<a><b'),
  },
};
