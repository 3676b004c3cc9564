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

/**
 * Assigns every output to an input: the same object, then the same `messageId`, then the first input. An error goes to its own
 * input or to one without output. If none is left, it is a stray.
 */
function attribute(all: Input[], returned: unknown[], outcomes: Outcomes): void {
  const sourceOf = sourceLookup(all);
  const outputs = newList<string>();
  for (let index = 0; index < all.length; index += 1) outputs[index] = '';
  const failures = newList<{ source: number; error: string }>();
  for (let at = 0; at < returned.length; at += 1) {
    const event = returned[at];
    const source = sourceOf(event);
    try {
      const text = batchOutputOf(event);
      outputs[source] += `${outputs[source] === '' ? '' : ','}${text}`;
    } catch (thrown) {
      // Each takes an input's place, or is a stray. Further ones would only fill the memory.
      if (failures.length < all.length + settings.straysMax) {
        failures[failures.length] = { source, error: describe(thrown) };
      }
    }
  }
  for (let index = 0; index < all.length; index += 1) outcomes.done(index, outputs[index] as string);
  placeFailures(failures, outputs, outcomes);
}

function placeFailures(failures: { source: number; error: string }[], outputs: string[], outcomes: Outcomes): void {
  const TAKEN = '!';
  const freeAfter = (from: number) => {
    for (let index = from; index < outputs.length; index += 1) if (outputs[index] === '') return index;
    return undefined;
  };
  for (let at = 0; at < failures.length; at += 1) {
    const { source, error } = failures[at] as { source: number; error: string };
    const place = outputs[source] === '' ? source : freeAfter(0);
    if (place === undefined) {
      outcomes.addStray(error);
      continue;
    }
    outputs[place] = TAKEN;
    outcomes.fail(place, error);
  }
}

/** Inputs with the same `messageId` take turns, and the last takes the rest. */
function sourceLookup(all: Input[]): (event: unknown) => number {
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
    if (same !== undefined || typeof event !== 'object' || event === null) return same ?? 0;
    const id = (event as Json)['messageId'];
    const source = firstOf.get(id);
    if (source === undefined) return 0;
    firstOf.set(id, nextOf[source] ?? source);
    return source;
  };
}
