import { Injectable } from '@nestjs/common';
import { deleteInPieces, type StreamMessage } from '@weir/messaging';
import { Sealer } from '@weir/service-kit';
import { DataSource } from 'typeorm';
import { Pepper } from '../secrets/pepper.js';

const AAD = 'regulation/dead-letter';
/** Dead letters are for repair and not an archive. */
const KEPT_DAYS = 30;

/** Messages that cannot be read. Their bytes are encrypted, because they may hold any user's data. */
@Injectable()
export class DeadLetterRepository {
  private readonly sealer: Sealer;

  constructor(
    private readonly dataSource: DataSource,
    pepper: Pepper,
  ) {
    this.sealer = new Sealer(pepper.derivedKey('dead-letters'));
  }

  async add({ subject, sequence, data }: StreamMessage, reason: string): Promise<void> {
    const payload = this.sealer.seal({ base64: Buffer.from(data).toString('base64') }, AAD);
    await this.dataSource.query(
      'INSERT INTO dead_letters (subject, sequence, reason, payload) VALUES ($1, $2, $3, $4)',
      [subject, sequence, reason, payload],
    );
  }

  async removeOld(): Promise<void> {
    await deleteInPieces(
      this.dataSource,
      `DELETE FROM dead_letters WHERE id IN (
         SELECT id FROM dead_letters WHERE created_at < now() - $1 * interval '1 day' ORDER BY id LIMIT $2)`,
      [KEPT_DAYS],
    );
  }
}
