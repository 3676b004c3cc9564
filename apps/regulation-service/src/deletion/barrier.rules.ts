/** How far the consumers of a stream are. */
export interface StreamView {
  /** Sequence of the newest message. */
  last: number;
  consumers: ConsumerView[];
}

export interface ConsumerView {
  /** Everything up to this sequence is acknowledged. */
  ackFloor: number;
  /** Nothing is waiting and nothing is in anybody's hands. */
  isIdle: boolean;
}

/** What deletions of one request wait for (architecture section 3, Deletion). Positions are null until they are read. */
export interface Barrier {
  rawPosition: number | null;
  acceptedPosition: number | null;
  /** Since everything of before was handed on; null: not yet. */
  drainedForMs: number | null;
}

/** What is to be noted at the barrier. */
export type BarrierStep = { rawPosition: number } | { acceptedPosition: number } | 'drained' | 'passed' | 'wait';

/**
 * One step at a time: the views are read afresh for each, after the step before was noted, so a consumer that is idle was
 * idle after the position was read.
 * 1. note the end of EVENTS_RAW, after the regulation was committed
 * 2. once the filter is past it, note the end of EVENTS_ACCEPTED
 * 3. once collector and deliverer are past that, every event of before is in the statistics or will be checked before it is sent
 * 4. once the longest send that was checked before has ended, nothing of the user is on its way any more
 */
export function nextStep(barrier: Barrier, raw: StreamView, accepted: StreamView, sendDeadlineMs: number): BarrierStep {
  if (barrier.rawPosition === null) return { rawPosition: raw.last };
  if (barrier.acceptedPosition === null) {
    // A stream that was lost and made anew counts from one again.
    if (raw.last < barrier.rawPosition) return { rawPosition: raw.last };
    return isPast(raw, barrier.rawPosition) ? { acceptedPosition: accepted.last } : 'wait';
  }
  if (barrier.drainedForMs === null) {
    if (accepted.last < barrier.acceptedPosition) return { acceptedPosition: accepted.last };
    return isPast(accepted, barrier.acceptedPosition) ? 'drained' : 'wait';
  }
  return barrier.drainedForMs >= sendDeadlineMs ? 'passed' : 'wait';
}

const isPast = ({ consumers }: StreamView, position: number) =>
  consumers.every(({ ackFloor, isIdle }) => isIdle || ackFloor >= position);
