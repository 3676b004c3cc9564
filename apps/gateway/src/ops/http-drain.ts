import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Periodic } from '@weir/messaging';
import type { FastifyInstance } from 'fastify';

/**
 * Ends the drain after so many sweeps in a row without a request, half a second. During the drain, answers ask clients to close
 * their connections, and the server still accepts new ones. Closing at once would cut off requests in transit. Time alone does not
 * count: a process without a processor has requests that it has not read.
 */
const QUIET_SWEEPS = 5;
/** Longest drain, for clients that never leave. The process must end within 12 s, including the requests in flight. */
const DRAIN_MAX_MS = 3_000;
/** Interval of checks for quiet, and for connections that would keep the server from closing. */
const SWEEP_MS = 100;

/** Lets clients leave before the process stops listening. The server then finishes requests in flight. */
@Injectable()
export class HttpDrain implements OnModuleDestroy {
  private draining = false;
  private requests = 0;
  /** Connections without a request so far. */
  private readonly silent = new Set<Socket>();

  constructor({ httpAdapter }: HttpAdapterHost) {
    const fastify = httpAdapter.getInstance<FastifyInstance>();
    fastify.addHook('onRequest', (request, reply, done) => {
      this.requests += 1;
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
    let quiet = 0;
    while (quiet < QUIET_SWEEPS && performance.now() - startedAt < DRAIN_MAX_MS) {
      const before = this.requests;
      await delay(SWEEP_MS);
      quiet = this.requests === before ? quiet + 1 : 0;
    }
    let seen: ReadonlySet<Socket> = new Set();
    const endSilent = () => {
      seen = this.endSilent(seen);
    };
    const log = new Logger(HttpDrain.name);
    new Periodic({ task: 'close silent connections', everyMs: SWEEP_MS, run: endSilent, log }).start();
  }

  /**
   * Closes connections that clients opened in advance. The server does not count them as idle and would wait for them. Closes
   * only those that the previous check also found, because newer ones may have sent unread data. Returns those found now.
   */
  private endSilent(before: ReadonlySet<Socket>): ReadonlySet<Socket> {
    const found = [...this.silent].filter(({ bytesRead }) => bytesRead === 0);
    for (const socket of found) if (before.has(socket)) socket.destroy();
    return new Set(found);
  }
}
