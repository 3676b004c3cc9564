import { EVENT_DEPTH_MAX, type EventResult, type UserError } from '@weir/contracts';
import { STRAYS_MAX } from '../limits.js';
import { JsonCursor, OPEN_ARRAY, OPEN_OBJECT } from './json-cursor.js';
import { ToldError } from './protocol.js';

export type StrayError = UserError & { position?: number };

/** The outcome of a run for one caller. */
export interface Outcome {
  /** Each the JSON of an `EventResult`. `undefined` means unfinished. `stopped` means that this event ended the run. */
  results: (Buffer | undefined | 'stopped')[];
  /** Errors that belong to no event. */
  strays: StrayError[];
  /** The run was ended, and any event may be the cause. Even a finished event may have left a loop behind. */
  isLoose: boolean;
}

/** Splits the driver's output: one line per caller. JSON escapes line breaks, so the lines are found without reading them. */
export function* groupsOf(outcome: Buffer): Generator<Buffer> {
  let start = 0;
  for (let end = outcome.indexOf(NEW_LINE); end !== -1; end = outcome.indexOf(NEW_LINE, start)) {
    yield outcome.subarray(start, end);
    start = end + 1;
  }
  yield outcome.subarray(start);
}

const NEW_LINE = 0x0a;

/**
 * Reads the driver's output for one caller, `{"results":[…],"strays":[…]}`: one result per event, in order. The text comes from
 * the realm of user code, so this checks every byte. Good results go into the reply unchanged. Returns `too large` if the results
 * do not fit one reply. Returns undefined if the text is invalid or nothing was begun.
 */
export function readGroup(group: Buffer, events: number): Outcome | 'too large' | undefined {
  const outcome: Outcome = { results: [], strays: [], isLoose: false };
  let isTooLarge = false;
  const read = () => {
    const cursor = new JsonCursor(group);
    for (const key of cursor.fields()) {
      if (key === 'results') readResults(group, cursor, events, outcome);
      else if (key === 'strays') readStrays(cursor, outcome);
      else if (key === 'isLoose') outcome.isLoose = cursor.value() === true;
      else if (key === 'isTooLarge') isTooLarge = cursor.value() === true;
      else refuse(key);
    }
    cursor.end();
  };
  if (!isReadable(read)) return undefined;
  if (isTooLarge) return 'too large';
  return outcome.results.length === events ? outcome : undefined;
}

function readResults(group: Buffer, cursor: JsonCursor, events: number, { results }: Outcome): void {
  for (const index of cursor.elements()) {
    if (index === events) refuse('one result more');
    results.push(readResult(group, cursor));
  }
}

function readStrays(cursor: JsonCursor, { strays }: Outcome): void {
  for (const index of cursor.elements()) {
    if (index === STRAYS_MAX) refuse('one stray more');
    strays.push(strayOf(cursor.value()));
  }
}

function readResult(group: Buffer, cursor: JsonCursor): Outcome['results'][number] {
  if (cursor.next !== OPEN_OBJECT) {
    cursor.skip();
    return undefined;
  }
  const start = cursor.at;
  if (cursor.passed(DROPPED)) return DROPPED;
  const seen: Seen = { hasOutputs: false, isTooDeep: false };
  if (cursor.passed(OK_START)) {
    readOutputs(cursor, seen);
    if (cursor.passed(OK_END) && seen.hasOutputs && !seen.isTooDeep) return group.subarray(start, cursor.at);
    [seen.hasOutputs, cursor.at] = [false, start];
  }
  for (const key of cursor.fields()) readField(key, cursor, seen);
  if (seen.status === 'stopped') return 'stopped';
  if (seen.status === 'error') {
    errorOf(seen.error);
    return group.subarray(start, cursor.at);
  }
  if (seen.position !== undefined) refuse('a position of what is no error');
  if (seen.isTooDeep) return resultJson({ status: 'error', error: { message: TOO_DEEP }, ...timeOf(seen) });
  if (seen.status === 'dropped' || !seen.hasOutputs) return resultJson({ status: 'dropped', ...timeOf(seen) });
  return group.subarray(start, cursor.at);
}

interface Seen {
  status?: unknown;
  error?: unknown;
  position?: unknown;
  milliseconds?: unknown;
  hasOutputs: boolean;
  isTooDeep: boolean;
}

function readField(key: string, cursor: JsonCursor, seen: Seen): void {
  if (key === 'outputs') {
    readOutputs(cursor, seen);
    return;
  }
  const value = cursor.value();
  if (key === 'status') seen.status = STATUSES.has(value) ? value : refuse('status');
  else if (key === 'error') seen.error = value;
  else if (key === 'position' && isPosition(value)) seen.position = value;
  else if (key === 'milliseconds' && typeof value === 'number') seen.milliseconds = value;
  else refuse(key);
}

function readOutputs(cursor: JsonCursor, seen: Seen): void {
  if (cursor.next !== OPEN_ARRAY) refuse('outputs that are not a list');
  const depth = cursor.skip(true) - 1;
  seen.hasOutputs = depth > 0;
  seen.isTooDeep = depth > EVENT_DEPTH_MAX;
}

/** How the driver writes a good result without further fields. */
const OK_START = Buffer.from('{"status":"ok","outputs":');
const OK_END = Buffer.from('}');
const DROPPED = Buffer.from('{"status":"dropped"}');
const STATUSES = new Set<unknown>(['ok', 'dropped', 'error', 'stopped']);
const TOO_DEEP = `returned event is nested deeper than ${EVENT_DEPTH_MAX} levels`;

const timeOf = ({ milliseconds }: Seen) => (typeof milliseconds === 'number' ? { milliseconds } : {});

const errorOf = (told: unknown): UserError =>
  (ToldError.safeParse(told).data as UserError | undefined) ?? refuse('an error that is none');

const isPosition = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;

function strayOf(told: unknown): StrayError {
  if (typeof told !== 'object' || told === null) return refuse('an error that is none');
  const { position, ...error } = told as { position?: number };
  if (position === undefined) return errorOf(error);
  return isPosition(position) ? { ...errorOf(error), position } : refuse('position');
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
