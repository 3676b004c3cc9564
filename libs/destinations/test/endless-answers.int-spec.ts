import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { until } from '@weir/testing';
import { LIST_BYTES_MAX } from '../src/kinds/s3/bounded-answers.js';
import { s3Delete } from '../src/kinds/s3/s3.deletion.js';
import { destinationKind } from '../src/registry.js';
import { RECEIVED_BYTES_MAX } from '../src/session/received-budget.js';
import { CONFIGS, type Script, type ScriptedServer, scripted } from './malformed.fixtures.js';
import { openOutbound } from './redis.fixtures.js';
import { openSession } from './session.fixtures.js';

const EVENT = { type: 'identify', userId: 'ada', traits: { plan: 'pro' } };
const PIECE = Buffer.alloc(65_536, 'a');
/** The system holds this much on its way between two sockets of one machine. */
const UNDER_WAY_MAX = 16_777_216;

/** The beginning of an answer that could be read, if it ended. */
const BEGINNINGS: Record<string, Buffer> = {
  KAFKA: Buffer.from('7fffffff00000000', 'hex'),
  NATS: Buffer.from('INFO {"server_id":"'),
  POSTGRES: Buffer.from('457fffffff4d', 'hex'),
  REDIS: Buffer.from('+'),
  S3: Buffer.from('HTTP/1.1 403 Forbidden\r\ncontent-type: application/xml\r\n\r\n<Error><Code>'),
};

let server: ScriptedServer | undefined;
let sent = 0;
afterEach(async () => {
  sent = 0;
  await server?.close();
});

/** Sends for ever, as fast as the other side takes it. */
function flood(socket: Socket): void {
  while (!socket.destroyed && socket.write(PIECE)) sent += PIECE.length;
  sent += PIECE.length;
  socket.once('drain', () => flood(socket));
}

const endless =
  (name: string): Script =>
  (socket, bytes) => {
    if ((name === 'NATS') === Boolean(bytes)) return;
    socket
      .removeAllListeners('data')
      .resume()
      .write(BEGINNINGS[name] ?? '');
    flood(socket);
  };

describe('a server whose answer does not end', () => {
  it.each([
    ['KAFKA', `Kafka could not be reached: the server sent more than ${RECEIVED_BYTES_MAX} bytes`],
    ['NATS', `NATS could not be reached: the server sent more than ${RECEIVED_BYTES_MAX} bytes`],
    ['POSTGRES', `Postgres could not be reached: the server sent more than ${RECEIVED_BYTES_MAX} bytes`],
    ['REDIS', `Redis could not be reached: the server sent more than ${RECEIVED_BYTES_MAX} bytes`],
    ['S3', 'The object store answered with more than 262144 bytes'],
  ])('is left by a delivery of %s', async (name, response) => {
    server = await scripted(endless(name));
    const kind = destinationKind(name);
    if (!kind) throw new Error(`there is no kind ${name}`);
    const way = openOutbound();
    const { deliver, session } = openSession(kind, CONFIGS[name]?.(server.port) ?? {}, way);
    expect(await deliver(EVENT)).toEqual([{ status: 503, response }]);
    expect(sent / way.sockets.length).toBeLessThan(RECEIVED_BYTES_MAX + UNDER_WAY_MAX);
    await session.close();
    await until('every socket to be closed', () => way.sockets.every(({ destroyed }) => destroyed));
  });

  it('is left by a deletion in S3', async () => {
    server = await scripted(endless('S3'));
    const request = { regulationId: 'r1', destinationId: 'd1', config: CONFIGS['S3']?.(server.port) ?? {} };
    const outcome = await s3Delete({ ...request, users: [{ userId: 'ada' }] }, openOutbound().outbound);
    const reason = `The object store answered with more than ${LIST_BYTES_MAX} bytes`;
    expect(outcome).toEqual({ status: 'failed', reason });
  });
});
