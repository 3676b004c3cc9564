import { Injectable, Logger } from '@nestjs/common';
import type { Lease } from '@weir/messaging';
import { SuppressionCheck } from '../checks/suppression-check.js';
import { deadLetterOf } from '../dead-letters/dead-letter.repository.js';
import { DeadLetterWriter } from '../dead-letters/dead-letter-writer.js';
import { Outcomes } from '../outcomes/outcomes.js';
import { Traces } from '../traces/traces.js';
import { type DeliveryUnit, type Failure, usersOf } from '../units/delivery-unit.js';
import type { DeliveryContext } from './attempts.js';
import { untilItWorks } from './backoff.js';

/** Ends events that are not delivered. */
@Injectable()
export class Endings {
  private readonly logger = new Logger(Endings.name);

  constructor(
    private readonly suppression: SuppressionCheck,
    private readonly deadLetters: DeadLetterWriter,
    private readonly outcomes: Outcomes,
    private readonly traces: Traces,
  ) {}

  /**
   * Writes a dead letter unless the user is suppressed. Waits while the database is away, because an accepted event is never
   * lost. Checks suppression again, because the user may have been deleted while the event waited.
   */
  async bury(unit: DeliveryUnit, failure: Failure, context: DeliveryContext): Promise<void> {
    const outcome = await untilItWorks(() => this.buryUnlessSuppressed(unit, failure, context.lease), {
      signal: context.signal,
      onFailure: (error) => this.logger.warn(`a dead letter cannot be written: ${error.message}`),
    });
    this.outcomes.ended(unit, outcome, failure.reason);
    this.traces.buried(unit, outcome, failure);
  }

  /** Only writes. Rejects if the answer about the user or the write fails, or if the lease may be lost. */
  async buryUnlessSuppressed(unit: DeliveryUnit, failure: Failure, lease?: Lease): Promise<'suppressed' | 'dead'> {
    if (await this.suppression.isSuppressed(usersOf(unit))) return 'suppressed';
    lease?.assertHeld();
    return this.deadLetters.add(deadLetterOf(unit, failure));
  }

  /** The client or user code wants the event not to be sent. Live views show that only if the user is known not to be suppressed. */
  async drop(unit: DeliveryUnit, outcome: 'dropped_by_code' | 'filtered', reason?: string): Promise<void> {
    const isSuppressed = await this.suppression.isSuppressed(usersOf(unit)).catch(() => undefined);
    if (isSuppressed === undefined) this.outcomes.count(unit.part, outcome);
    else if (isSuppressed) this.outcomes.ended(unit, 'suppressed');
    else this.outcomes.ended(unit, outcome, reason);
    if (isSuppressed === false) this.traces.note(unit, outcome, reason === undefined ? {} : { reason });
    else this.traces.bare(unit, isSuppressed ? 'suppressed' : outcome);
  }
}
