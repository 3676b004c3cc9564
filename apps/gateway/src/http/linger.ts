import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * A client that still writes when it is answered has to be able to finish, or its connection breaks before it reads the
 * answer. So the rest of a body is read and thrown away: up to this many bytes,
 */
export const LINGER_BYTES_MAX = 33_554_432;
/** for so long, which is less than a whole request may take, */
const LINGER_MS = 20_000;
/** and for no longer than this without a byte. */
const STALL_MS = 2_000;
/** What was sent last has so long to arrive: a connection that is closed with unread bytes takes it away. */
const LAST_WORD_MS = 1_000;
/** Connections that linger at a time; others are closed at once. */
const LINGERING_MAX = 1_024;
const SWEEP_MS = 250;

interface Lingerer {
  socket: Socket;
  /** Of an answered request; what is no HTTP has none. */
  request?: IncomingMessage | undefined;
  since: number;
  startBytes: number;
  bytes: number;
  heardAt: number;
  closingAt?: number;
}

/** Requests whose connection ends with them, once their bodies were read. */
const lastOnes = new WeakSet<IncomingMessage>();
const lingerers = new Set<Lingerer>();
let timer: NodeJS.Timeout | undefined;

/** Has every answer that goes out before its request's body has come reach the client, whatever that answer is. */
export function answerBeforeBodies(fastify: FastifyInstance): void {
  fastify.addHook('onSend', ({ raw }, reply, payload, done) => {
    if (isArriving(raw)) {
      // Node closes such a connection with the answer; here that has to wait.
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
 * Has to begin before the answer is out: what nobody reads by then is thrown away by Node itself, without end. Beyond the
 * bound it is left in the network, until the connection is closed.
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

/** A request without a body is not complete either while its headers are dealt with. */
const isArriving = ({ complete, destroyed, headers }: IncomingMessage) =>
  !complete && !destroyed && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0);

/** Reads and throws away what comes, until `request` has come to its end; without one, until the client gives up. */
export function lingerOn(socket: Socket, request?: IncomingMessage): void {
  if (lingerers.size >= LINGERING_MAX) {
    socket.destroySoon();
    return;
  }
  const since = performance.now();
  const { bytesRead: bytes } = socket;
  lingerers.add({ socket, request, since, startBytes: bytes, bytes, heardAt: since });
  timer ??= setInterval(sweep, SWEEP_MS).unref();
}

export const isLingering = (socket: Socket): boolean => [...lingerers].some((one) => one.socket === socket);

function sweep(): void {
  const now = performance.now();
  for (const lingerer of lingerers) if (isOver(lingerer, now)) lingerers.delete(lingerer);
  if (lingerers.size > 0) return;
  clearInterval(timer);
  timer = undefined;
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
