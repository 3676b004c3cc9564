import { withoutCredentials } from './mask.js';
import { codeAt, indexIn, newList, sliceText, startsWith, stringify } from './primordials.js';

/**
 * An error as shown to its author, read from a stack that user code may have set to any text. The text is cut first, and then
 * each character is read a fixed number of times. This runs in the isolate, or in the child for code that cannot load, so it
 * costs only the workspace itself.
 */
export interface ShownError {
  message: string;
  /** Always an own field. A missing one would be looked up where user code can put a getter. */
  frame: Place | undefined;
}

interface Place {
  file: string;
  line: number;
  column: number;
}

/** Settings for showing an error. */
export interface Shown {
  errorChars: number;
  /** Masked wherever they occur, longest first. */
  secrets: readonly string[];
}

/** V8 writes ten frames by default. A user who raises that number gets at most this many lines. */
const LINES_MAX = 100;
/** Digits of a line or column number. No source has longer ones. */
const DIGITS_MAX = 9;

/**
 * Keeps the message and the user's part of the stack. It ends at the last line that names the function which Weir called. Frames
 * of the driver and the host never appear.
 */
export function shownError(text: string, { errorChars, secrets }: Shown): ShownError {
  const lines = linesOf(sliceText(withoutCredentials(text, secrets), 0, errorChars));
  let end = lines.length;
  for (let index = 0; index < lines.length; index += 1) {
    const called = calledIn(lines[index] as string);
    if (startsWith(called, '(<isolated-vm boundary>)')) {
      end = index;
      break;
    }
  }
  for (let index = end - 1; index >= 0; index -= 1) {
    if (!isEntry(calledIn(lines[index] as string))) continue;
    end = index + 1;
    break;
  }
  const own = newList<string>();
  for (let index = 0; index < end; index += 1) {
    const line = lines[index] as string;
    if (!isOfWeir(calledIn(line))) own[own.length] = line;
  }
  return told(own);
}

/** The same as JSON, by concatenation because user code may have given every object a `toJSON`. */
export function shownErrorJson(text: string, known: Shown): string {
  const { message, frame } = shownError(text, known);
  if (!frame) return `{"message":${stringify(message)}}`;
  const place = `{"file":${stringify(frame.file)},"line":${frame.line},"column":${frame.column}}`;
  return `{"message":${stringify(message)},"frame":${place}}`;
}

function told(own: string[]): ShownError {
  let end = own.length;
  // Built-in functions that the driver called to write a result.
  while (end > 0 && isNative(own[end - 1] as string)) end -= 1;
  let message = '';
  let frame: Place | undefined;
  let syntax: Place | undefined;
  for (let index = 0; index < end; index += 1) {
    const line = own[index] as string;
    message += `${index === 0 ? '' : '\n'}${line}`;
    frame ??= framePlace(calledIn(line));
    syntax ??= syntaxPlace(line);
  }
  return { message, frame: frame ?? syntax };
}

function linesOf(text: string): string[] {
  const lines = newList<string>();
  let from = 0;
  while (lines.length < LINES_MAX) {
    const to = indexIn(text, '\n', from);
    lines[lines.length] = sliceText(text, from, to === -1 ? undefined : to);
    if (to === -1) break;
    from = to + 1;
  }
  return lines;
}

const TAB = 9;
const BLANK = 32;

/** Returns the text after `    at `. Empty if the line is not a frame. */
function calledIn(line: string): string {
  let at = 0;
  while (codeAt(line, at) === BLANK || codeAt(line, at) === TAB) at += 1;
  return at > 0 && startsWith(line, 'at ', at) ? sliceText(line, at + 3) : '';
}

/** Matches `async Object.transformEvent (…`. */
function isEntry(called: string): boolean {
  const start = startsWith(called, 'async ') ? 6 : 0;
  let end = start;
  let name = start;
  for (; isOfName(codeAt(called, end)); end += 1) if (codeAt(called, end) === POINT) name = end + 1;
  const last = sliceText(called, name, end);
  return last === 'transformEvent' || last === 'transformBatch';
}

const POINT = 46;
const isOfName = (code: number) =>
  code === POINT ||
  code === 95 ||
  (code >= 48 && code <= 57) ||
  (code >= 65 && code <= 90) ||
  (code >= 97 && code <= 122);

const isOfWeir = (called: string) =>
  indexIn(called, 'weir:') !== -1 || indexIn(called, 'node:') !== -1 || indexIn(called, 'file://') !== -1;

const NATIVE = ' (<anonymous>)';
const isNative = (line: string) => calledIn(line) !== '' && endsWith(line, NATIVE);

/** Parses `name (file:line:column)`, or the place alone. */
function framePlace(called: string): Place | undefined {
  if (!endsWith(called, ')')) return placeIn(called, startsWith(called, 'async ') ? 6 : 0, called.length);
  const open = indexIn(called, ' (');
  return open === -1 ? undefined : placeIn(called, open + 2, called.length - 1);
}

/** Parses isolated-vm's place of a syntax error: `… [file:line:column]`. */
function syntaxPlace(line: string): Place | undefined {
  if (!endsWith(line, ']')) return undefined;
  const open = indexIn(line, ' [');
  return open === -1 ? undefined : placeIn(line, open + 2, line.length - 1);
}

/** Parses `file:line:column` from its end, because the name may contain anything. */
function placeIn(text: string, from: number, to: number): Place | undefined {
  const columnAt = digitsBefore(text, to);
  const lineAt = columnAt === undefined ? undefined : digitsBefore(text, columnAt - 1);
  if (columnAt === undefined || lineAt === undefined || lineAt - 1 <= from) return undefined;
  return {
    file: sliceText(text, from, lineAt - 1),
    line: +sliceText(text, lineAt, columnAt - 1),
    column: +sliceText(text, columnAt, to),
  };
}

/** Returns where the number that ends here begins, if a colon precedes it. */
function digitsBefore(text: string, end: number): number | undefined {
  let at = end;
  while (end - at <= DIGITS_MAX && codeAt(text, at - 1) >= 48 && codeAt(text, at - 1) <= 57) at -= 1;
  return at < end && end - at <= DIGITS_MAX && codeAt(text, at - 1) === COLON ? at : undefined;
}

const COLON = 58;
const endsWith = (text: string, end: string) => sliceText(text, -end.length) === end;
