import { setTimeout as sleep } from 'node:timers/promises';
import { api, trackEvent } from '@weir/testing';
import type { SentEvent } from './history.js';

type Stack = Parameters<typeof api>[0];

/** How long a sender waits before it sends an event again. */
const RETRY_MS = 50;
/** A sender gives up an attempt after this time, as SDKs do, and repeats it. */
const ATTEMPT_MS = 10_000;

export interface Load {
  users: number;
  /** Pause of a user between an answer and the next event, in milliseconds. */
  pauseMs: number;
}

/** Users that each send one event after the other, and each event until the intake answers 200. */
export class Users {
  readonly sent: SentEvent[] = [];
  private stopped = false;
  private senders: Promise<void>[] = [];

  constructor(
    private readonly stack: Stack,
    private readonly writeKey: string,
  ) {}

  start({ users, pauseMs }: Load): void {
    this.senders = Array.from({ length: users }, (_, n) => this.sendAll(`user-${n}`, pauseMs));
  }

  /** Resolves when the last event is acknowledged. */
  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.senders);
  }

  private async sendAll(user: string, pauseMs: number): Promise<void> {
    for (let n = 0; !this.stopped; n += 1) {
      const body = trackEvent({ userId: user, event: 'Ordered', properties: { n } });
      const sentAt = performance.now();
      await this.untilTaken(body);
      this.sent.push({ id: body['messageId'] as string, user, sentAt, takenAt: performance.now() });
      await sleep(pauseMs);
    }
  }

  private async untilTaken(body: object): Promise<void> {
    const client = api(this.stack, { writeKey: this.writeKey });
    for (;;) {
      const answer = client.post('/v1/track', body).catch(() => undefined);
      const late = sleep(ATTEMPT_MS, undefined, { ref: false });
      if ((await Promise.race([answer, late]))?.status === 200) return;
      await sleep(RETRY_MS);
    }
  }
}
