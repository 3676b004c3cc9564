import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { type CheckCode, isAppError, type ReplyOf, type RequestInputOf, type RunCode } from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import type { Deadline } from './deadline.js';

/** How long a sandbox without a free child is retried. Runs end after a few seconds. */
const BUSY_PATIENCE_MS = 8_000;
const RETRY_MS = 200;

type SandboxCall = typeof RunCode | typeof CheckCode;

/** Calls the sandbox within the publish's own deadline. Retries a busy sandbox, because tests are safe to run twice. */
@Injectable()
export class SandboxClient {
  constructor(private readonly rpc: RpcClient) {}

  /** Throws `unavailable` if the sandbox stays busy or away, and `timeout` at the deadline. */
  async send<C extends SandboxCall>(call: C, request: RequestInputOf<C>, deadline: Deadline): Promise<ReplyOf<C>> {
    const giveUpAt = Date.now() + BUSY_PATIENCE_MS;
    for (;;) {
      const deadlineMs = Math.min(call.deadlineMs, deadline.leftMs());
      try {
        return await this.rpc.send(call, request, { deadlineMs });
      } catch (error) {
        const isBusy = isAppError(error) && error.code === 'unavailable';
        if (!isBusy || Date.now() > giveUpAt) throw error;
        await delay(RETRY_MS);
      }
    }
  }
}
