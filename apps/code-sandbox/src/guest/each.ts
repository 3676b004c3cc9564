import { type Inputs, type Json, metadataOf } from './inputs.js';
import { describe, Outcomes, outputsOf } from './outcomes.js';

/** The run of one caller's events. */
export interface GuestRun {
  /** Marks the event that was running when the run was ended. Returns whether there is one. */
  interrupt(limitMs: number): boolean;
  /** Whether every event has its result. */
  isComplete(): boolean;
  /** Fails everything that still waits, because nothing more can happen. */
  settle(): void;
  /** `isLoose` means that any event may be why the run was ended. */
  text(isLoose: boolean): string;
}

export const UNSETTLED = 'Error: Script execution timed out. The promise that it returned never settles.';
/** An event that ran alone for this share of the limit counts as the cause. */
const CULPRIT_SHARE = 0.75;
const NONE = -1;

/** Calls `transformEvent` for each event in order. Their promises wait concurrently. */
export function runEach(
  inputs: Inputs,
  transform: (event: Json, metadata: (event: unknown) => Json) => unknown,
): GuestRun {
  const outcomes = new Outcomes(inputs.length);
  let current = NONE;

  const settleLater = async (index: number, promised: unknown) => {
    try {
      outcomes.done(index, outputsOf(await promised));
    } catch (thrown) {
      outcomes.fail(index, describe(thrown));
    }
  };
  const runOne = (index: number) => {
    const { message, metadata } = inputs.at(index);
    const ofEvent = (event: unknown) =>
      metadataOf(event, (asked) => (asked === message ? metadata : undefined), inputs);
    const returned = transform(message, ofEvent);
    if (isThenable(returned)) void settleLater(index, returned);
    else outcomes.done(index, outputsOf(returned));
  };
  for (let index = 0; index < inputs.length; index += 1) {
    current = index;
    outcomes.begin(index);
    try {
      runOne(index);
    } catch (thrown) {
      outcomes.fail(index, describe(thrown));
    }
  }
  current = NONE;

  return {
    interrupt(limitMs) {
      if (current !== NONE && outcomes.ranFor(current) >= CULPRIT_SHARE * limitMs) outcomes.stop(current);
      return current !== NONE;
    },
    isComplete: () => outcomes.isComplete,
    settle: () => outcomes.failOpen(UNSETTLED),
    text: (isLoose) => outcomes.text(isLoose),
  };
}

const isThenable = (value: unknown): boolean =>
  ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
  typeof (value as { then: unknown }).then === 'function';
