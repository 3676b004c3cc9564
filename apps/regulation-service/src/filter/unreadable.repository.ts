import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Periodic, removeRows, type StreamMessage } from '@weir/messaging';
import { Database, Sealer } from '@weir/service-kit';
import { DEAD_LETTER_AAD, MatchKeys } from '../secrets/match-keys.js';

/** They are kept for repair, not as an archive. */
const KEPT_DAYS = 30;

/** Messages that cannot be read. Their bytes are encrypted, because they may hold any user's data. */
@Injectable()
export class UnreadableRepository {
  private readonly sealer: Sealer;

  constructor(
    private readonly dataSource: Database,
    keys: MatchKeys,
  ) {
    this.sealer = new Sealer(keys.derivedKey('dead-letters'));
  }

  async add({ subject, sequence, data }: StreamMessage, reason: string): Promise<void> {
    const payload = this.sealer.seal({ base64: Buffer.from(data).toString('base64') }, DEAD_LETTER_AAD);
    await this.dataSource.run('INSERT INTO dead_letters (subject, sequence, reason, payload) VALUES ($1, $2, $3, $4)', [
      subject,
      sequence,
      reason,
      payload,
    ]);
  }

  async removeOld(): Promise<void> {
    await removeRows(this.dataSource, 'dead_letters', `created_at < now() - $1 * interval '1 day'`, [KEPT_DAYS]);
  }
}

const EVERY_MS = 3_600_000;

/** Removes old messages every hour. They may hold any user's data, and no deletion can reach them. */
@Injectable()
export class UnreadableRetention implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly rounds;

  constructor(messages: UnreadableRepository) {
    this.rounds = new Periodic({
      task: 'remove old unreadable messages',
      everyMs: EVERY_MS,
      run: () => messages.removeOld(),
      log: new Logger(UnreadableRetention.name),
      jitter: 0.1,
    });
  }

  onApplicationBootstrap(): void {
    void this.rounds.run();
    this.rounds.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.rounds.stop();
  }
}
