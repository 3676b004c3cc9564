import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { NatsConnection } from '@nats-io/transport-node';
import { Logger } from '@nestjs/common';
import { ANSWER_LEASE_MS, HoldAnswers, type RecalledAnswers } from '@weir/contracts';
import type { RpcClient } from '@weir/messaging';
import fc from 'fast-check';
import { AnswerLease } from './answer-lease.js';

/** `WEIR_TEST_FULL=1` searches as many schedules as a release wants. */
const SCHEDULES = process.env['WEIR_TEST_FULL'] === '1' ? 10_000 : 200;
const WORKSPACE = 'w';
const HOLDERS = 2;
const STEP_MS = 100;
const STEPS = 120;
/** As `AnswerLeases` of the regulation service waits for a holder that it tells. */
const TELL_MS = 1_000;

const pass = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/** The table and the calls of the regulation service, with delays and losses on every way. */
class Service {
  private readonly leases = new Map<string, { expiresAt: number; isRevoked: boolean }>();
  private readonly listeners = new Map<string, (recalled: RecalledAnswers) => void>();

  constructor(private readonly delay: () => number) {}

  /** The client that a holder is built with. */
  readonly rpc = {
    send: (_call: unknown, request: { holder: string }) => this.hold(request.holder),
  } as unknown as RpcClient;
  readonly nats = {
    isClosed: () => false,
    subscribe: (subject: string, { callback }: { callback: (error: null, message: object) => void }) => {
      const holder = subject.split('.').at(-1) ?? '';
      this.listeners.set(holder, (recalled) => callback(null, { json: () => recalled, respond: () => true }));
      return { unsubscribe: () => this.listeners.delete(holder) };
    },
  } as unknown as NatsConnection;

  private async hold(holder: string): Promise<{ held: boolean }> {
    const answer = pass(this.delay()).then(() => {
      const known = this.leases.get(holder);
      if (!known?.isRevoked)
        this.leases.set(holder, { expiresAt: performance.now() + ANSWER_LEASE_MS, isRevoked: false });
      return { held: !known?.isRevoked };
    });
    const late = pass(HoldAnswers.deadlineMs).then(() => Promise.reject(new Error('late')));
    return Promise.race([answer.then((reply) => pass(this.delay()).then(() => reply)), late]);
  }

  async recall(): Promise<void> {
    const holders = [...this.leases]
      .filter(([, { expiresAt }]) => expiresAt >= performance.now())
      .map(([holder]) => holder);
    const heard = await Promise.all(holders.map((holder) => this.tell(holder)));
    const silent = holders.filter((_, n) => !heard[n]).flatMap((holder) => this.leases.get(holder) ?? []);
    for (const lease of silent) lease.isRevoked = true;
    if (silent.length === 0) return;
    await pass(Math.ceil(Math.max(0, ...silent.map(({ expiresAt }) => expiresAt - performance.now()))));
  }

  private tell(holder: string): Promise<boolean> {
    const told = pass(this.delay()).then(() => {
      const listener = this.listeners.get(holder);
      listener?.({ workspaceId: WORKSPACE });
      return listener !== undefined;
    });
    const answered = told.then((isHeard) =>
      isHeard ? pass(this.delay()).then(() => true) : pass(TELL_MS * 2).then(() => false),
    );
    return Promise.race([answered, pass(TELL_MS).then(() => false)]);
  }
}

describe('the lease of answers', () => {
  beforeEach(() => {
    jest.useFakeTimers();
    Logger.overrideLogger(false);
  });
  afterEach(() => {
    jest.useRealTimers();
    Logger.overrideLogger(true);
  });

  const delays = fc.infiniteStream(
    fc.oneof({ weight: 6, arbitrary: fc.nat(30) }, { weight: 2, arbitrary: fc.nat(2 * ANSWER_LEASE_MS) }),
  );
  const moments = fc.array(fc.nat(STEPS), { minLength: 1, maxLength: 4 });

  it('covers no answer from before a regulation, once that regulation is answered', async () => {
    await fc.assert(
      fc.asyncProperty(delays, moments, async (ms, regulations) => {
        const service = new Service(() => ms.next().value as number);
        const holders = Array.from({ length: HOLDERS }, () => new AnswerLease(service.nats, service.rpc));
        for (const holder of holders) holder.onApplicationBootstrap();
        const answered: number[] = [];
        const regulate = async () => {
          const storedAt = performance.now();
          await service.recall();
          answered.push(storedAt);
        };
        for (let step = 0; step <= STEPS; step += 1) {
          for (const moment of regulations) if (moment === step) void regulate();
          await jest.advanceTimersByTimeAsync(STEP_MS);
          for (const storedAt of answered) {
            expect(holders.filter((holder) => holder.covers(WORKSPACE, storedAt))).toEqual([]);
          }
        }
        const ended = Promise.all(holders.map((holder) => holder.onModuleDestroy()));
        await jest.advanceTimersByTimeAsync(4 * ANSWER_LEASE_MS);
        await ended;
        jest.clearAllTimers();
      }),
      { numRuns: SCHEDULES },
    );
  });
});
