/**
 * Runs inside the isolate, before and around user code. It is the only thing that user code finds there beside the
 * language itself: no host function, no `Reference`, only text goes in and out (security-reliability 3.1, rule 4).
 * Whatever user code changes in its own realm, it changes for itself: the context is thrown away after the run.
 * All of `guest/` is joined to one module (`child/guest-code.ts`), so top-level names are unique across its files.
 */
import { printed } from './log.js';
import { parse, settings, stringify } from './settings.js';

export { settleFetches, takeFetches } from './fetch.js';
export { logsJson } from './log.js';
export { furnish } from './realm.js';

type Json = Record<string, unknown>;
type Entry = 'transformEvent' | 'transformBatch';
type Input = { message: Json; metadata: Json };
type Outcome = { outputs: string[] } | { error: string };
type Code = Record<string, unknown>;

const { isArray } = Array;
const typeTag = Object.prototype.toString;

const ENTRIES = ['transformEvent', 'transformBatch'] as const;

/** The one function to call, or an error when there is none or a choice. */
export function entryOf(code: Code): Entry {
  const found = ENTRIES.filter((name) => typeof code[name] === 'function');
  const [entry] = found;
  if (!entry || found.length > 1) throw new Error(`Expected one of ${ENTRIES.join(',')}. Found ${found.join(',')}`);
  return entry;
}

/** Starts user code on the events. Everything that can happen has happened when the call and its microtasks are done. */
export function startRun(code: Code, eventsJson: string): { resultsJson(): string } {
  const inputs = parse(eventsJson) as Input[];
  const entry = entryOf(code);
  const run = code[entry] as (argument: unknown, metadata: (event: unknown) => Json) => unknown;
  const metadata = metadataLookup(inputs);
  if (entry === 'transformEvent') return runEach(inputs, (event) => run(event, metadata));
  return runBatch(inputs, (events) => run(events, metadata));
}

/** By the event object itself, and by `messageId` for copies of it; a changed or repeated id does not mislead it. */
function metadataLookup(inputs: Input[]): (event: unknown) => Json {
  const byObject = new WeakMap<object, Json>(inputs.map(({ message, metadata }) => [message, metadata]));
  const byId = new Map(inputs.map(({ message, metadata }) => [message['messageId'], metadata]));
  byId.delete(undefined);
  return (event) => {
    if (typeof event !== 'object' || event === null) return {};
    return { ...(byObject.get(event) ?? byId.get((event as Json)['messageId'])) };
  };
}

const UNSETTLED = 'Error: Script execution timed out. The promise that it returned never settles.';

function runEach(inputs: Input[], transform: (event: Json) => unknown): { resultsJson(): string } {
  const outcomes = inputs.map((): Outcome => ({ error: UNSETTLED }));
  const runOne = async (event: Json, index: number) => {
    try {
      outcomes[index] = eventOutcome(await transform(event));
    } catch (thrown) {
      outcomes[index] = { error: describe(thrown) };
    }
  };
  inputs.forEach(({ message }, index) => void runOne(message, index));
  return { resultsJson: () => resultsText(outcomes, []) };
}

function eventOutcome(returned: unknown): Outcome {
  if (returned === null || returned === undefined) return { outputs: [] };
  if (!isArray(returned)) return written([returned], 'returned event from transformEvent(event) is not an object');
  return written(returned, 'returned event in events array from transformEvent(event) is not an object');
}

function written(events: unknown[], notAnObject: string): Outcome {
  const outputs: string[] = [];
  let chars = 0;
  for (const event of events) {
    const output = objectText(event);
    if (output === undefined) return { error: notAnObject };
    chars += output.length;
    if (chars > settings.resultChars) return { error: `returned event is larger than ${settings.resultChars} bytes` };
    outputs.push(output);
  }
  return { outputs };
}

/** JSON of an object; undefined when it is none. Throws what JSON throws: BigInt, cycles, getters of the user's own. */
function objectText(value: unknown): string | undefined {
  if (typeTag.call(value) !== '[object Object]') return undefined;
  const text = stringify(value);
  return typeof text === 'string' && text.startsWith('{') ? text : undefined;
}

function runBatch(inputs: Input[], transform: (events: Json[]) => unknown): { resultsJson(): string } {
  let outcomes = inputs.map((): Outcome => ({ error: UNSETTLED }));
  let strays: string[] = [];
  const failAll = (error: string) => {
    outcomes = inputs.map(() => ({ error }));
  };
  const run = async () => {
    try {
      const returned = await transform(inputs.map(({ message }) => message));
      if (isArray(returned)) ({ outcomes, strays } = attributed(inputs, returned));
      else failAll('returned events from transformBatch(event) is not an array');
    } catch (thrown) {
      failAll(describe(thrown));
    }
  };
  void run();
  return { resultsJson: () => resultsText(outcomes, strays) };
}

/**
 * Gives every output to the input it came from: the same object, else the same `messageId`, else the first input.
 * An error is shown at its input, or at one that has no output; what is left over belongs to none.
 */
function attributed(inputs: Input[], returned: unknown[]): { outcomes: Outcome[]; strays: string[] } {
  const sourceOf = sourceLookup(inputs);
  const outputs = inputs.map((): string[] => []);
  const failures: { source: number; error: string }[] = [];
  for (const event of returned) {
    const source = sourceOf(event);
    const outcome = tryWrite(event);
    if ('error' in outcome) failures.push({ source, error: outcome.error });
    else outputs[source]?.push(...outcome.outputs);
  }
  const outcomes = outputs.map((texts): Outcome => ({ outputs: texts }));
  const isFree = (index: number) => {
    const outcome = outcomes[index];
    return outcome !== undefined && 'outputs' in outcome && outcome.outputs.length === 0;
  };
  const strays: string[] = [];
  for (const { source, error } of failures) {
    const place = isFree(source) ? source : outcomes.findIndex((_, index) => isFree(index));
    if (place === -1) strays.push(error);
    else outcomes[place] = { error };
  }
  return { outcomes, strays };
}

function tryWrite(event: unknown): Outcome {
  try {
    return written([event], 'returned event in events array from transformBatch(events) is not an object');
  } catch (thrown) {
    return { error: describe(thrown) };
  }
}

/** Inputs with one `messageId` are taken in turn, the last of them for all that remains. */
function sourceLookup(inputs: Input[]): (event: unknown) => number {
  const byObject = new Map<unknown, number>(inputs.map(({ message }, index) => [message, index]));
  const byId = new Map<unknown, number[]>();
  inputs.forEach(({ message }, index) => {
    const id = message['messageId'];
    const known = byId.get(id);
    if (known) known.push(index);
    else if (id !== undefined) byId.set(id, [index]);
  });
  return (event) => {
    const same = byObject.get(event);
    if (same !== undefined || typeof event !== 'object' || event === null) return same ?? 0;
    const indexes = byId.get((event as Json)['messageId']) ?? [];
    return (indexes.length > 1 ? indexes.shift() : indexes[0]) ?? 0;
  };
}

/**
 * Empty when it would not fit one answer: the caller sends fewer events then. Only texts are given to JSON here: a
 * `toJSON` that user code gave to all objects is for its own events.
 */
function resultsText(outcomes: Outcome[], strays: string[]): string {
  const results = outcomes.map((outcome) => {
    if ('error' in outcome) return `{"status":"error","text":${stringify(outcome.error)}}`;
    return outcome.outputs.length === 0
      ? '{"status":"dropped"}'
      : `{"status":"ok","outputs":[${outcome.outputs.join(',')}]}`;
  });
  const text = `{"results":[${results.join(',')}],"strays":[${strays.map((text) => stringify(text)).join(',')}]}`;
  return text.length > settings.resultChars ? '' : text;
}

/** Anything can be thrown, and reading what was thrown can throw again. */
function describe(thrown: unknown): string {
  try {
    const { stack } = Object(thrown) as { stack?: unknown };
    if (typeof stack === 'string' && stack !== '') return stack.slice(0, settings.errorChars);
    return `Error: thrown: ${printed(thrown).slice(0, settings.errorChars)} (not an Error object)`;
  } catch {
    return 'Error: a value was thrown that cannot be shown';
  }
}
