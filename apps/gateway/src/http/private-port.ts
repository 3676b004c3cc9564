import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../config.js';
import type { Area } from './areas.js';
import { areaOf } from './request.js';
import { sessionSecretOf } from './session-cookie.js';
import { unknownPath } from './status.js';

/**
 * A second port that serves every area, for operators inside a network. With it, the first port serves the public areas only, and
 * schemas to sessions of the console. Both ports share one HTTP server, so limits, time-outs and the drain hold for both.
 */
export class PrivatePort {
  /** Connections of the private port. */
  private readonly sockets = new WeakSet<Socket>();
  private readonly server;

  constructor(
    private readonly fastify: FastifyInstance,
    private readonly config: Pick<Config, 'privatePort' | 'host' | 'publicAreas'>,
  ) {
    this.server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
      this.sockets.add(socket);
      fastify.server.emit('connection', socket);
    });
    fastify.addHook('onRequest', (request, _reply, done) => {
      const isServed = isPublic(request, config.publicAreas) || this.sockets.has(request.raw.socket);
      done(isServed ? undefined : unknownPath());
    });
    fastify.addHook('onClose', () => this.close());
  }

  /** Resolves with the number of the port. */
  async listen(): Promise<number> {
    const { privatePort, host } = this.config;
    this.server.listen(privatePort, host);
    await once(this.server, 'listening');
    return (this.server.address() as AddressInfo).port;
  }

  /** Resolves after the requests in flight. The HTTP server waits for connections of its own port only. */
  private async close(): Promise<void> {
    if (!this.server.listening) return;
    const closed = once(this.server, 'close');
    this.server.close();
    this.fastify.server.closeIdleConnections();
    await closed;
  }
}

/** A session reads schemas on the host of the console. With other credentials, the paths of schemas do not exist there. */
function isPublic(request: FastifyRequest, publicAreas: readonly Area[]): boolean {
  const area = areaOf(request);
  if (publicAreas.includes(area)) return true;
  const isOfSession = request.headers.authorization === undefined && sessionSecretOf(request) !== undefined;
  return area === 'schemas' && publicAreas.includes('console') && isOfSession;
}
