import { EVENT_DEPTH_MAX, type EventResult, type UserError } from '@weir/contracts';
import { userErrorOf } from './user-error.js';
import { JsonCursor, OPEN_OBJECT } from './wire/json-cursor.js';

/**
 * Reads what the driver wrote in the isolate, `{"groups":[{"results":[…],"strays":[…]}]}`: a group for each caller, a result for
 * each event, in their order. The text comes from user code's realm, so every byte of it is looked at; but good results go into
 * the reply as they are.
 */
export interface Outcome {
  /** As JSON of an `EventResult`. `undefined`: the event has not come to an end; `stopped`: the run was ended because of it. */
  results: (Buffer | undefined | 'stopped')[];
  /** Errors that belong to no event. */
  strays: UserError[];
  /** The run was ended, and any of the events may be why: one that has a result may have left a loop behind. */
  isLoose: boolean;
}

/** Hides the values of credentials. */
export type Mask = (text: string) => string;

/** The group of each caller, or nothing when the text is not as agreed. */
export function groupsOf(outcome: Buffer, callers: number): Buffer[] {
  const groups: Buffer[] = [];
  const read = () => {
    const cursor = new JsonCursor(outcome);
    cursor.eachField(() =>
      cursor.eachElement(() => {
        const { start, end } = cursor.skip();
        groups.push(outcome.subarray(start, end));
      }),
    );
    cursor.end();
  };
  return isReadable(read) && groups.length === callers ? groups : [];
}

/** `too large` when it would not fit one answer; nothing when the text is not as agreed, or says that nothing was begun. */
export function readGroup(group: Buffer, events: number, mask: Mask): Outcome | 'too large' | undefined {
  const outcome: Outcome = { results: [], strays: [], isLoose: false };
  let isTooLarge = false;
  const read = () => {
    const cursor = new JsonCursor(group);
    cursor.eachField((key) => {
      if (key === 'results') cursor.eachElement(() => outcome.results.push(readResult(group, cursor, mask)));
      else if (key === 'strays') cursor.eachElement(() => outcome.strays.push(errorOf(cursor.value(), mask)));
      else if (key === 'isLoose') outcome.isLoose = cursor.value() === true;
      else if (key === 'isTooLarge') isTooLarge = cursor.value() === true;
      else refuse(key);
    });
    cursor.end();
  };
  if (!isReadable(read)) return undefined;
  if (isTooLarge) return 'too large';
  return outcome.results.length === events ? outcome : undefined;
}

function readResult(group: Buffer, cursor: JsonCursor, mask: Mask): Outcome['results'][number] {
  if (cursor.next !== OPEN_OBJECT) {
    cursor.skip();
    return undefined;
  }
  const start = cursor.at;
  const seen: Seen = { outputs: 0, isTooDeep: false };
  if (cursor.passed(OK_START)) {
    readOutputs(cursor, seen);
    if (cursor.passed(OK_END) && seen.outputs > 0 && !seen.isTooDeep) return group.subarray(start, cursor.at);
    [seen.outputs, cursor.at] = [0, start];
  }
  cursor.eachField((key) => readField(key, cursor, seen));
  if (seen.status === 'stopped') return 'stopped';
  if (seen.status === 'error') return resultJson({ status: 'error', error: errorOf(seen.text, mask), ...timeOf(seen) });
  if (seen.isTooDeep) return resultJson({ status: 'error', error: { message: TOO_DEEP }, ...timeOf(seen) });
  if (seen.status === 'dropped' || seen.outputs === 0) return resultJson({ status: 'dropped', ...timeOf(seen) });
  return group.subarray(start, cursor.at);
}

interface Seen {
  status?: unknown;
  text?: unknown;
  milliseconds?: unknown;
  outputs: number;
  isTooDeep: boolean;
}

function readField(key: string, cursor: JsonCursor, seen: Seen): void {
  if (key === 'outputs') {
    readOutputs(cursor, seen);
    return;
  }
  const value = cursor.value();
  if (key === 'status') seen.status = STATUSES.has(value) ? value : refuse(`status ${value}`);
  else if (key === 'text') seen.text = value;
  else if (key === 'milliseconds' && typeof value === 'number') seen.milliseconds = value;
  else refuse(key);
}

function readOutputs(cursor: JsonCursor, seen: Seen): void {
  cursor.eachElement(() => {
    if (cursor.next !== OPEN_OBJECT) refuse('an output that is no object');
    seen.outputs += 1;
    if (cursor.skip().depth > EVENT_DEPTH_MAX) seen.isTooDeep = true;
  });
}

/** How a good result is written when there is nothing else to say. */
const OK_START = Buffer.from('{"status":"ok","outputs":');
const OK_END = Buffer.from('}');
const STATUSES = new Set<unknown>(['ok', 'dropped', 'error', 'stopped']);
const TOO_DEEP = `returned event is nested deeper than ${EVENT_DEPTH_MAX} levels`;

const timeOf = ({ milliseconds }: Seen) => (typeof milliseconds === 'number' ? { milliseconds } : {});

/** The user's error as it is shown, without the values of credentials. */
function errorOf(text: unknown, mask: Mask): UserError {
  const error = userErrorOf({ kind: 'thrown', text: String(text) });
  return { ...error, message: mask(error.message) };
}

export const resultJson = (result: EventResult): Buffer => Buffer.from(JSON.stringify(result));

function refuse(what: string): never {
  throw new SyntaxError(`${what} is not known`);
}

function isReadable(read: () => void): boolean {
  try {
    read();
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
