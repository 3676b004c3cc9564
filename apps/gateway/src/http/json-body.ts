import { AppError, isStorableText, piecesWithIdsAsWritten } from '@weir/contracts';
import { Slices } from '@weir/messaging';
import { BodyScan } from './body-scan.js';

/** Deepest nesting of a control plane body (security-reliability 3.5). */
export const CONTROL_DEPTH_MAX = 64;
/** Most keys of a control plane body. Allows 5,000 regulated users with 20 identifiers each without blocking the event loop. */
export const CONTROL_KEYS_MAX = 120_000;

/** Braces, brackets, commas and colons for that many keys. Refuses heavier bodies before parsing. */
const CONTROL_WEIGHT_MAX = 4 * CONTROL_KEYS_MAX;
/** Bytes, or values, to process before other requests may get a turn. */
const STEP = 16_384;

const utf8 = new TextDecoder('utf-8', { fatal: true });

const refuse = (message: string) => new AppError('invalid', message);

/**
 * Parses a control plane body. Undefined if there is none. Refuses values that no service could store. Turns numeric ids that do
 * not fit a double into text, like the intake.
 */
export function parseJsonBody(bytes: Buffer): unknown {
  const steps = parsing(bytes);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Same as {@link parseJsonBody}, with turns for other requests in between. */
export async function readJsonBody(bytes: Buffer): Promise<unknown> {
  const steps = parsing(bytes);
  const slices = new Slices();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (slices.isOver) await slices.next();
  }
}

function* parsing(bytes: Buffer): Generator<void, unknown> {
  if (bytes.length === 0) return undefined;
  yield* refuseUnparsable(bytes);
  const text = decode(bytes);
  yield;
  const value = parse(text);
  yield;
  yield* refuseUnusable(value);
  let written = '';
  for (const piece of piecesWithIdsAsWritten(text)) {
    written += piece;
    yield;
  }
  return written === text ? value : parse(written);
}

/** Refuses bodies that would take long to parse and fail anyway. */
function* refuseUnparsable(bytes: Buffer): Generator<void, void> {
  const scan = new BodyScan(bytes, { depthMax: CONTROL_DEPTH_MAX, listDepth: 0 });
  while (!scan.isOver) {
    scan.advance(STEP);
    yield;
  }
  if (scan.isTooDeep) throw tooDeep();
  if (scan.frameWeight > CONTROL_WEIGHT_MAX) throw tooManyKeys();
}

const tooDeep = () => refuse(`The body is nested deeper than ${CONTROL_DEPTH_MAX} levels`);
const tooManyKeys = () => refuse(`The body has more than ${CONTROL_KEYS_MAX} keys and items`);

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw refuse('The body is not valid UTF-8');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw refuse(`The body is not valid JSON: ${positionOf(error)}`);
  }
}

/** V8 quotes the text around the error. Callers only need the position. */
function positionOf(error: unknown): string {
  const position = error instanceof Error ? /position \d+/.exec(error.message)?.[0] : undefined;
  return position ? `unexpected input at ${position}` : 'it ends too early or has no value';
}

/** Avoids recursion, because it checks the depth. */
function* refuseUnusable(root: unknown): Generator<void, void> {
  const open: { value: unknown; depth: number }[] = [{ value: root, depth: 1 }];
  let keys = 0;
  for (let node = open.pop(); node; node = open.pop()) {
    if (typeof node.value === 'string') refuseUnstorable(node.value);
    if (typeof node.value !== 'object' || node.value === null) continue;
    if (node.depth > CONTROL_DEPTH_MAX) throw tooDeep();
    for (const [key, value] of Object.entries(node.value)) {
      keys += 1;
      if (keys > CONTROL_KEYS_MAX) throw tooManyKeys();
      if (keys % STEP === 0) yield;
      refuseUnstorable(key);
      open.push({ value, depth: node.depth + 1 });
    }
  }
}

/** No text column can hold such text, and no client means it. */
function refuseUnstorable(text: string): void {
  if (isStorableText(text)) return;
  const what = text.includes('\0') ? 'a NUL character' : 'half of a surrogate pair';
  throw refuse(`The body has a text with ${what}`);
}
