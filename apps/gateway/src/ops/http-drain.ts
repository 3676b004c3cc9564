import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';

/**
 * Before the server closes, clients have this long to move: answers tell them to give their connection up, and new
 * connections are still taken. Closing at once would cut off requests that are already on their way.
 */
const DRAIN_MS = 500;

/** Lets the clients of this process go before it stops listening. What is in flight then is finished by the server. */
@Injectable()
export class HttpDrain implements OnModuleDestroy {
  private draining = false;

  constructor({ httpAdapter }: HttpAdapterHost) {
    httpAdapter.getInstance<FastifyInstance>().addHook('onRequest', (_request, reply, done) => {
      if (this.draining) void reply.header('connection', 'close');
      done();
    });
  }

  async onModuleDestroy(): Promise<void> {
    this.draining = true;
    await delay(DRAIN_MS);
  }
}
