import { randomUUID } from 'node:crypto';
import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { ANSWERS_HELD_MS, HoldAnswers, RecalledAnswers, recalledAnswersSubject } from '@weir/contracts';
import { NATS, onMessage, Periodic, RpcClient } from '@weir/messaging';

const RENEW_MS = 1_000;
/**
 * An answer is asked for again after this time. Bounds how long a regulation is unknown that was stored, but whose request ended
 * before it was answered. Until the answer, nothing is promised.
 */
export const ANSWER_AGE_MS_MAX = 30_000;

/**
 * The right to act on earlier answers about suppressions. The regulation service answers no new regulation before this process
 * has dropped what it knew, or has stopped to believe in its lease (docs/decisions/0049-leased-answers.md). Uses a monotonic clock.
 */
@Injectable()
export class AnswerLease implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(AnswerLease.name);
  private holder = randomUUID();
  private recalls: Subscription | undefined;
  private readonly renewals = new Periodic({
    task: 'keep answers',
    everyMs: RENEW_MS,
    run: () => this.renew(),
    log: { warn: (message) => this.logger.debug(message) }, // without a lease every event asks, which costs only time
  });
  /** When this lease was first confirmed. All times are from `performance.now()`. */
  private since = Number.POSITIVE_INFINITY;
  private heldUntil = 0;
  private allRecalledAt = 0;
  private readonly recalledAt = new Map<string, number>();

  constructor(
    @Inject(NATS) private readonly nats: NatsConnection,
    private readonly rpc: RpcClient,
  ) {}

  onApplicationBootstrap(): void {
    void this.renewals.run();
    this.renewals.start();
  }

  /** Others need not wait for this process any more. */
  async onModuleDestroy(): Promise<void> {
    void this.renewals.stop();
    this.heldUntil = 0;
    this.recalls?.unsubscribe();
    if (this.since < Number.POSITIVE_INFINITY && !this.nats.isClosed())
      await this.rpc.send(HoldAnswers, { holder: this.holder, ends: true }).catch(() => undefined);
  }

  get isHeld(): boolean {
    return performance.now() < this.heldUntil;
  }

  /** Whether an answer may be used now that was asked for at this time of `performance.now()`. Ask right before each use. */
  covers(workspaceId: string, askedAt: number): boolean {
    const recalledAt = Math.max(this.allRecalledAt, this.recalledAt.get(workspaceId) ?? 0);
    const isFresh = performance.now() - askedAt < ANSWER_AGE_MS_MAX;
    return this.isHeld && isFresh && askedAt >= this.since && askedAt > recalledAt;
  }

  /** Renews the lease. Rejects if the service does not answer. */
  async renew(): Promise<void> {
    if (!this.recalls) this.begin();
    const askedAt = performance.now();
    const { held } = await this.rpc.send(HoldAnswers, { holder: this.holder });
    if (this.renewals.isStopped) return;
    if (!held) return this.begin(); // it was revoked
    // While nobody had to tell this process, it may have missed a regulation.
    if (!this.isHeld) this.since = performance.now();
    this.heldUntil = askedAt + ANSWERS_HELD_MS;
  }

  /** Begins another lease, under which nothing is known yet. */
  private begin(): void {
    this.heldUntil = 0;
    this.recalls?.unsubscribe();
    this.holder = randomUUID();
    const callback = onMessage((message: { json<T>(): T; respond(): boolean }) => {
      this.recall(message.json<RecalledAnswers>());
      message.respond();
    });
    this.recalls = this.nats.subscribe(recalledAnswersSubject(this.holder), { callback });
  }

  private recall({ workspaceId }: RecalledAnswers): void {
    const now = performance.now();
    if (workspaceId === undefined) this.allRecalledAt = now;
    else this.recalledAt.set(workspaceId, now);
    for (const [id, at] of this.recalledAt) if (now - at > ANSWER_AGE_MS_MAX) this.recalledAt.delete(id);
  }
}
