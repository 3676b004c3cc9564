import { Injectable } from '@nestjs/common';
import type { DeliveryPart } from '@weir/contracts';
import { allEnded, type Lease } from '@weir/messaging';
import { Outcomes } from '../outcomes/outcomes.js';
import { Traces } from '../traces/traces.js';
import type { DeliveryUnit, DestinationPart, DestinationRef } from '../units/delivery-unit.js';
import { Endings } from './endings.js';

/** Why an event with no place to wait becomes a dead letter. */
export const NO_ROOM = {
  stage: 'queue' as const,
  reason:
    'The share of the queue of this destination is full. Replay the event when the destination accepts events again',
  attempts: 0,
};

/** Writes dead letters for batches that do not fit the queue, except for suppressed users. */
@Injectable()
export class Overflow {
  constructor(
    private readonly endings: Endings,
    private readonly outcomes: Outcomes,
    private readonly traces: Traces,
  ) {}

  /**
   * Handles all events at once, so that suppression checks and writes are batched. Rejects if one fails. Repeating the call is
   * safe.
   */
  async bury(owner: DestinationRef, parts: readonly DeliveryPart[], lease?: Lease): Promise<void> {
    await this.buryEach(
      parts.flatMap((part) => unitsOf({ ...part, ...owner })),
      owner,
      lease,
    );
  }

  async buryEach(units: readonly DeliveryUnit[], owner: DestinationRef, lease?: Lease): Promise<void> {
    // counted when all have ended, so a repetition counts nothing twice
    const outcomes = await allEnded(units.map((unit) => this.buryOne(unit, lease)));
    for (const outcome of ['dead', 'suppressed'] as const) {
      const events = outcomes.filter((one) => one === outcome).length;
      if (events > 0) this.outcomes.count(owner, outcome, events);
    }
  }

  private async buryOne(unit: DeliveryUnit, lease?: Lease): Promise<'dead' | 'suppressed'> {
    const outcome = await this.endings.buryUnlessSuppressed(unit, NO_ROOM, lease);
    this.traces.buried(unit, outcome, NO_ROOM);
    return outcome;
  }
}

/** All events of a part. */
export const unitsOf = (part: DestinationPart): DeliveryUnit[] =>
  part.events.map((event, index) => ({ part, index, event }));
