/** How far the consumers of a stream have come. */
export interface StreamView {
  /** Sequence of the newest message. */
  last: number;
  consumers: ConsumerView[];
}

export interface ConsumerView {
  /** Every message up to this sequence is acknowledged. */
  ackFloor: number;
  /** No message is waiting and none is unacknowledged. */
  isIdle: boolean;
}

/**
 * The condition that the deletions of one request wait for (architecture section 3, Deletion). Positions are null until they are
 * read.
 */
export interface Barrier {
  rawPosition: number | null;
  acceptedPosition: number | null;
  /** Time since all earlier events were handed on. Null if they are not yet. */
  drainedForMs: number | null;
}

/** The next step to record at the barrier. */
export type BarrierStep = { rawPosition: number } | { acceptedPosition: number } | 'drained' | 'passed' | 'wait';

/**
 * Takes one step per call. The caller reads both views again after it has recorded a step. A consumer that is idle now was
 * therefore idle after the position was read.
 * 1. Record the end of EVENTS_RAW, after the regulation was committed.
 * 2. Once the filter is past it, record the end of EVENTS_ACCEPTED.
 * 3. Once collector and deliverer are past that, every earlier event is in the statistics or will be checked before it is sent.
 * 4. Once the longest send with an earlier check has ended, nothing of the user is on its way any more.
 */
export function nextStep(barrier: Barrier, raw: StreamView, accepted: StreamView, sendDeadlineMs: number): BarrierStep {
  if (barrier.rawPosition === null) return { rawPosition: raw.last };
  if (barrier.acceptedPosition === null) {
    // A stream that was lost and recreated counts from one again, at brokers before NATS 2.10.
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
