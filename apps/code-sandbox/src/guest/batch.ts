import { type GuestRun, UNSETTLED } from './each.js';
import { type Input, type Inputs, type Json, metadataOf } from './inputs.js';
import { assertBatch, batchOutputOf, describe, Outcomes } from './outcomes.js';
import { listFrom, newList, PlainMap } from './primordials.js';
import { settings } from './settings.js';

/** Calls `transformBatch` once with all events of the caller. If it fails, every event gets the error. */
export function runBatch(
  inputs: Inputs,
  transform: (events: Json[], metadata: (event: unknown) => Json) => unknown,
): GuestRun {
  const outcomes = new Outcomes(inputs.length);
  const all = inputs.all();
  const metadata = metadataLookup(inputs, all);
  let isCalling = false;
  const call = () => {
    isCalling = true;
    try {
      return transform(messagesOf(all), metadata);
    } finally {
      isCalling = false;
    }
  };
  const run = async () => {
    try {
      const returned = await call();
      assertBatch(returned);
      attribute(all, returned, outcomes);
    } catch (thrown) {
      outcomes.failAll(describe(thrown));
    }
  };
  void run();
  return {
    interrupt: () => isCalling,
    isComplete: () => outcomes.isComplete,
    settle: () => outcomes.failOpen(UNSETTLED),
    text: (isLoose) => outcomes.text(isLoose),
  };
}

/** Builds an array of user code's own realm, with all array methods. */
function messagesOf(all: Input[]): Json[] {
  return listFrom(all, (input) => input.message);
}

/** Finds metadata by the event object, and by `messageId` for copies. A changed or repeated id does not mislead it. */
function metadataLookup(inputs: Inputs, all: Input[]): (event: unknown) => Json {
  const byObject = new PlainMap<unknown, Json>();
  for (let index = 0; index < all.length; index += 1) {
    const { message, metadata } = all[index] as Input;
    byObject.set(message, metadata);
  }
  return (event) => metadataOf(event, (asked) => byObject.get(asked), inputs);
}

/** Takes no input's place, because nothing came before. */
const START = -1;

/** An element that cannot be an output. */
interface Failure {
  error: string;
  /** The input that it belongs to, if any. */
  own: number | undefined;
  /** It was returned after so many outputs of this input. */
  after: number;
  outputs: number;
}

/**
 * Assigns every output to an input: the same object, then the same `messageId`. A new event goes where the output before it went,
 * or to the first input, so it keeps its place.
 */
function attribute(all: Input[], returned: unknown[], outcomes: Outcomes): void {
  const sourceOf = sourceLookup(all);
  const texts = newList<string>();
  const counts = newList<number>();
  for (let index = 0; index < all.length; index += 1) {
    texts[index] = '';
    counts[index] = 0;
  }
  const failures = newList<Failure>();
  let last = 0;
  let after = START;
  for (let at = 0; at < returned.length; at += 1) {
    const event = returned[at];
    const own = sourceOf(event);
    try {
      const text = batchOutputOf(event);
      last = own ?? last;
      after = last;
      texts[last] += `${texts[last] === '' ? '' : ','}${text}`;
      counts[last] = (counts[last] as number) + 1;
    } catch (thrown) {
      after = own ?? after;
      // Each takes an input's place, or is a stray. Further ones would only fill the memory.
      if (failures.length < all.length + settings.straysMax) {
        failures[failures.length] = {
          error: describe(thrown),
          own,
          after,
          outputs: after === START ? 0 : (counts[after] as number),
        };
      }
    }
  }
  for (let index = 0; index < all.length; index += 1) outcomes.done(index, texts[index] as string);
  placeFailures(failures, counts, outcomes);
}

/** An error stands at its own input if that has no output. The others go to inputs without output, and what is left are strays. */
function placeFailures(failures: Failure[], counts: number[], outcomes: Outcomes): void {
  const failed = newList<boolean>();
  const others = newList<Failure>();
  for (let at = 0; at < failures.length; at += 1) {
    const failure = failures[at] as Failure;
    const { own, error } = failure;
    if (own === undefined || counts[own] !== 0 || failed[own]) {
      others[others.length] = failure;
      continue;
    }
    failed[own] = true;
    outcomes.fail(own, error);
  }
  const positionOf = positions(counts, failed);
  let free = 0;
  for (let at = 0; at < others.length; at += 1) {
    const failure = others[at] as Failure;
    while (free < counts.length && (counts[free] !== 0 || failed[free])) free += 1;
    if (free < counts.length) outcomes.fail(free, failure.error, positionOf(failure));
    else outcomes.addStray(failure.error, positionOf(failure));
    free += 1;
  }
}

/** Counts the outputs, and the errors at their own input, that a failure was returned after. */
function positions(counts: number[], failed: boolean[]): (failure: Failure) => number {
  const before = newList<number>();
  let sum = 0;
  for (let index = 0; index < counts.length; index += 1) {
    before[index] = sum;
    sum += failed[index] ? 1 : (counts[index] as number);
  }
  return ({ after, outputs }) => (after === START ? 0 : (before[after] as number) + (failed[after] ? 1 : outputs));
}

/** Inputs with the same `messageId` take turns, and the last takes the rest. */
function sourceLookup(all: Input[]): (event: unknown) => number | undefined {
  const byObject = new PlainMap<unknown, number>();
  const firstOf = new PlainMap<unknown, number>();
  const nextOf = newList<number | undefined>();
  for (let index = all.length - 1; index >= 0; index -= 1) {
    const { message } = all[index] as Input;
    byObject.set(message, index);
    const id = message['messageId'];
    nextOf[index] = firstOf.get(id);
    if (id !== undefined) firstOf.set(id, index);
  }
  return (event) => {
    const same = byObject.get(event);
    if (same !== undefined || typeof event !== 'object' || event === null) return same;
    const id = (event as Json)['messageId'];
    const source = firstOf.get(id);
    if (source === undefined) return undefined;
    firstOf.set(id, nextOf[source] ?? source);
    return source;
  };
}
