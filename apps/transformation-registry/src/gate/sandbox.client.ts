import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import {
  AppError,
  type Call,
  type CheckCode,
  isAppError,
  type ReplyOf,
  type RequestInputOf,
  type RunCode,
} from '@weir/contracts';
import { RpcClient } from '@weir/messaging';

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

/** Reserved for the last transaction and the reply. */
const MARGIN_MS = 1_000;

/** Ends before the caller gives up, so that no publish goes live after the caller was told that it failed. */
export class Deadline {
  private constructor(private readonly endsAt: number) {}

  static of(call: Call): Deadline {
    return new Deadline(Date.now() + call.deadlineMs - MARGIN_MS);
  }

  /** Throws `timeout` if no time is left. */
  leftMs(): number {
    const left = this.endsAt - Date.now();
    if (left > 0) return left;
    throw new AppError(
      'timeout',
      'The tests took too long, so nothing was stored. Use fewer test events, or publish fewer revisions at a time',
    );
  }
}
