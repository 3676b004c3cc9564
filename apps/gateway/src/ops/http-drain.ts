import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';

/**
 * Before the server closes, clients have time to move: answers tell them to give their connection up, and new connections
 * are still taken. Closing at once would cut off requests that are already on their way. They have moved when nothing came
 * for so long.
 */
const QUIET_MS = 500;
/** Clients that never move are cut off then: the process has to end within 12 s, with what is in flight finished. */
const DRAIN_MAX_MS = 3_000;
/** How often is looked whether all have moved, and for connections that the closing server would wait for in vain. */
const SWEEP_MS = 100;

/** Lets the clients of this process go before it stops listening. What is in flight then is finished by the server. */
@Injectable()
export class HttpDrain implements OnModuleDestroy {
  private draining = false;
  private lastRequestAt = 0;
  /** Connections that have sent nothing yet. */
  private readonly silent = new Set<Socket>();

  constructor({ httpAdapter }: HttpAdapterHost) {
    const fastify = httpAdapter.getInstance<FastifyInstance>();
    fastify.addHook('onRequest', (request, reply, done) => {
      this.lastRequestAt = performance.now();
      this.silent.delete(request.raw.socket);
      if (this.draining) void reply.header('connection', 'close');
      done();
    });
    fastify.server.on('connection', (socket: Socket) => {
      this.silent.add(socket);
      socket.once('close', () => this.silent.delete(socket));
    });
  }

  async onModuleDestroy(): Promise<void> {
    this.draining = true;
    const startedAt = performance.now();
    const quietSince = () => Math.max(startedAt, this.lastRequestAt);
    while (performance.now() - quietSince() < QUIET_MS && performance.now() - startedAt < DRAIN_MAX_MS) {
      await delay(SWEEP_MS);
    }
    let seen: ReadonlySet<Socket> = new Set();
    setInterval(() => {
      seen = this.endSilent(seen);
    }, SWEEP_MS).unref();
  }

  /**
   * Ends connections that clients opened in advance: to the server they are not idle, and it would wait for them. Only what
   * the last look found, too: what came since may have sent something that was not read yet. Answers what it found now.
   */
  private endSilent(before: ReadonlySet<Socket>): ReadonlySet<Socket> {
    const found = [...this.silent].filter(({ bytesRead }) => bytesRead === 0);
    for (const socket of found) if (before.has(socket)) socket.destroy();
    return new Set(found);
  }
}
