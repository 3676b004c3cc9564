import { Injectable } from '@nestjs/common';
import { type DeliveryPart, matchIdsOf } from '@weir/contracts';
import type { Lease } from '@weir/messaging';
import { DeadLetterWriter } from '../dead-letters/dead-letter-writer.js';
import { DeliveryOutcomes } from './delivery-outcomes.js';
import { type DeliveryOwnerIds, type DeliveryUnit, deadLetterOf, originalOf } from './delivery-unit.js';
import { SuppressionCheck } from './suppression-check.js';

const FAILURE = {
  stage: 'queue' as const,
  reason:
    'Too much waits for this destination already: its share of the queue is full. Replay it when the destination takes events again',
  attempts: 0,
};

/** Writes dead letters for batches that do not fit the queue, except for suppressed users. */
@Injectable()
export class Overflow {
  constructor(
    private readonly suppression: SuppressionCheck,
    private readonly deadLetters: DeadLetterWriter,
    private readonly outcomes: DeliveryOutcomes,
  ) {}

  /**
   * Handles all events at once, so that suppression checks and writes are batched. Rejects if one fails. Repeating the call is
   * safe.
   */
  async bury(owner: DeliveryOwnerIds, parts: readonly DeliveryPart[], lease?: Lease): Promise<void> {
    const units = parts.flatMap((part) =>
      part.events.map((event, index): DeliveryUnit => ({ part: { ...part, ...owner }, index, event })),
    );
    const results = await Promise.allSettled(units.map((unit) => this.buryOne(unit, lease)));
    for (const outcome of ['dead', 'suppressed'] as const) {
      const events = results.filter((result) => result.status === 'fulfilled' && result.value === outcome).length;
      if (events > 0) this.outcomes.count(owner, outcome, events);
    }
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }

  private async buryOne(unit: DeliveryUnit, lease?: Lease): Promise<'dead' | 'suppressed'> {
    if (await this.suppression.isSuppressed({ ...unit.part, userIds: matchIdsOf(originalOf(unit)) }))
      return 'suppressed';
    lease?.assertHeld();
    await this.deadLetters.add(deadLetterOf(unit, FAILURE));
    return 'dead';
  }
}
