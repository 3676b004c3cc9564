import { setTimeout as sleep } from 'node:timers/promises';
import type { NatsConnection } from '@nats-io/transport-node';
import { Inject, Injectable } from '@nestjs/common';
import {
  ANSWER_LEASE_MS,
  type HoldAnswers,
  type RecalledAnswers,
  type ReplyOf,
  type RequestOf,
  recalledAnswersSubject,
} from '@weir/contracts';
import { NATS } from '@weir/messaging';
import { Database } from '@weir/service-kit';

/** How long a holder may take to drop its answers. Then its lease is revoked and has to run out. */
const TELL_MS = 1_000;

/**
 * Knows which processes use answers about suppressions again. A regulation is answered only after {@link recall}, so no such
 * process can act on what it knew before.
 */
@Injectable()
export class AnswerLeases {
  constructor(
    private readonly database: Database,
    @Inject(NATS) private readonly nats: NatsConnection,
  ) {}

  async hold({ holder, ends }: RequestOf<typeof HoldAnswers>): Promise<ReplyOf<typeof HoldAnswers>> {
    if (ends) {
      await this.database.run('DELETE FROM answer_leases WHERE holder = $1', [holder]);
      return { held: false };
    }
    const { rows } = await this.database.run(
      `WITH gone AS (DELETE FROM answer_leases WHERE holder <> $1 AND expires_at < clock_timestamp() - interval '1 minute')
       INSERT INTO answer_leases (holder, expires_at) VALUES ($1, clock_timestamp() + $2 * interval '1 millisecond')
       ON CONFLICT (holder) DO UPDATE SET expires_at = excluded.expires_at WHERE NOT answer_leases.is_revoked
       RETURNING holder`,
      [holder, ANSWER_LEASE_MS],
    );
    return { held: rows.length > 0 };
  }

  /**
   * Resolves when nobody uses answers from before the call any more: every holder has dropped them, or its lease has run out. Call
   * it after the commit. Without a workspace, all answers.
   */
  async recall(workspaceId?: string): Promise<void> {
    const { rows } = await this.database.run<{ holder: string }>(
      'SELECT holder FROM answer_leases WHERE expires_at >= clock_timestamp()',
    );
    const holders = rows.map(({ holder }) => holder);
    const heard = await Promise.all(holders.map((holder) => this.tell(holder, { workspaceId })));
    const silent = holders.filter((_, index) => !heard[index]);
    if (silent.length > 0) await sleep(await this.revoke(silent));
  }

  private async tell(holder: string, recalled: RecalledAnswers): Promise<boolean> {
    const asked = this.nats.request(recalledAnswersSubject(holder), JSON.stringify(recalled), { timeout: TELL_MS });
    return asked.then(
      () => true,
      () => false,
    );
  }

  /** Returns how long the last of these leases still lasts, in milliseconds. A lease that has ended does not count. */
  private async revoke(holders: string[]): Promise<number> {
    const { rows } = await this.database.run<{ left: number }>(
      `UPDATE answer_leases SET is_revoked = true WHERE holder = ANY($1::uuid[])
       RETURNING (extract(epoch FROM expires_at - clock_timestamp()) * 1000)::float8 AS left`,
      [holders],
    );
    return Math.ceil(Math.max(0, ...rows.map(({ left }) => left)));
  }
}
