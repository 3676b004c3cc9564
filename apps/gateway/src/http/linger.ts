import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import { Periodic } from '@weir/messaging';
import type { FastifyInstance } from 'fastify';

/**
 * Most bytes of a body to read and discard after its answer. A client that still writes must be able to finish. Otherwise its
 * connection breaks before it reads the answer.
 */
export const LINGER_BYTES_MAX = 33_554_432;
/** Longest time to read and discard. Less than a whole request may take. */
const LINGER_MS = 20_000;
/** Longest wait for the next byte. */
const STALL_MS = 2_000;
/** Time for the answer to arrive before the connection closes. Closing with unread bytes would discard the answer. */
const LAST_WORD_MS = 1_000;
/** Connections that may linger at a time. Others close at once. */
const LINGERING_MAX = 1_024;
const SWEEP_MS = 250;

interface Lingerer {
  socket: Socket;
  /** The answered request. Undefined for input that is not HTTP. */
  request?: IncomingMessage | undefined;
  since: number;
  startBytes: number;
  bytes: number;
  heardAt: number;
  closingAt?: number;
}

/** Requests whose connection closes after their bodies were read. */
const lastOnes = new WeakSet<IncomingMessage>();
const lingerers = new Set<Lingerer>();
const sweeps = new Periodic({
  task: 'close connections that linger',
  everyMs: SWEEP_MS,
  run: sweep,
  log: new Logger('Linger'),
});

/** Ensures that the client receives an answer that goes out before the request's body has arrived. */
export function answerBeforeBodies(fastify: FastifyInstance): void {
  fastify.addHook('onSend', ({ raw }, reply, payload, done) => {
    if (isArriving(raw)) {
      // Node would close the connection with the answer. Here the close has to wait.
      if (isClose(reply.getHeader('connection')) || isClose(raw.headers.connection)) lastOnes.add(raw);
      reply.removeHeader('connection');
      reply.raw.shouldKeepAlive = true;
      discard(raw);
    }
    done(null, payload);
  });
  fastify.addHook('onResponse', ({ raw }, _reply, done) => {
    if (isArriving(raw)) lingerOn(raw.socket, raw);
    else if (lastOnes.has(raw)) raw.socket.end();
    done();
  });
}

/**
 * Must start before the answer is out, because Node itself would discard unread input without a limit. At the bound it pauses and
 * leaves the rest in the network until the connection closes.
 */
function discard(request: IncomingMessage): void {
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes >= LINGER_BYTES_MAX) request.pause();
  });
  request.resume();
}

const isClose = (connection: unknown) => String(connection).toLowerCase() === 'close';

/** A request without a body is incomplete too while its headers are processed, so this checks the headers. */
const isArriving = ({ complete, destroyed, headers }: IncomingMessage) =>
  !complete && !destroyed && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0);

/** Reads and discards input until `request` is complete. Without a request, until the client gives up. */
export function lingerOn(socket: Socket, request?: IncomingMessage): void {
  if (lingerers.size >= LINGERING_MAX) {
    socket.destroySoon();
    return;
  }
  const since = performance.now();
  const { bytesRead: bytes } = socket;
  if (lingerers.size === 0) sweeps.start();
  lingerers.add({ socket, request, since, startBytes: bytes, bytes, heardAt: since });
}

export const isLingering = (socket: Socket): boolean => [...lingerers].some((one) => one.socket === socket);

function sweep(): void {
  const now = performance.now();
  for (const lingerer of lingerers) if (isOver(lingerer, now)) lingerers.delete(lingerer);
  if (lingerers.size === 0) void sweeps.stop();
}

function isOver(lingerer: Lingerer, now: number): boolean {
  const { socket, since, startBytes, closingAt } = lingerer;
  if (socket.destroyed) return true;
  if (closingAt !== undefined) {
    if (now < closingAt + LAST_WORD_MS) return false;
    socket.destroy();
    return true;
  }
  if (lingerer.request?.complete) {
    if (lastOnes.has(lingerer.request)) socket.end();
    return true;
  }
  if (socket.bytesRead > lingerer.bytes) {
    lingerer.bytes = socket.bytesRead;
    lingerer.heardAt = now;
  }
  const isPatient = now - since < LINGER_MS && now - lingerer.heardAt < STALL_MS;
  if (isPatient && lingerer.bytes - startBytes < LINGER_BYTES_MAX) return false;
  lingerer.closingAt = now;
  socket.end();
  return false;
}
