import { masked } from './mask.js';
import { codeAt, indexIn, newList, sliceText, startsWith, stringify } from './primordials.js';

/**
 * An error as its author gets to see it, read from a stack that user code may have set to any text at all. So it is cut first, and
 * then each character is looked at a fixed number of times. It is read in the isolate, and in the child for code that cannot be
 * loaded: it costs the workspace whose code it is, and nobody else.
 */
export interface ShownError {
  message: string;
  /** Always a field of its own: one that were missing would be looked for where user code can put a getter. */
  frame: Place | undefined;
}

interface Place {
  file: string;
  line: number;
  column: number;
}

/** What is known where an error is read. */
export interface Shown {
  errorChars: number;
  /** Hidden wherever they stand, the longest first. */
  secrets: readonly string[];
}

/** V8 writes ten frames; whoever raises that number finds the first of them. */
const LINES_MAX = 100;
/** Of a line or column number: a longer one is no place in any source. */
const DIGITS_MAX = 9;

/**
 * Message and the stack as far as it is the user's: up to the last line that names the function which Weir called, and
 * never a frame of the driver or of the host.
 */
export function shownError(text: string, { errorChars, secrets }: Shown): ShownError {
  const lines = linesOf(sliceText(masked(text, secrets), 0, errorChars));
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

/** The same as JSON. Written by concatenation: user code may have given every object a `toJSON`. */
export function shownErrorJson(text: string, known: Shown): string {
  const { message, frame } = shownError(text, known);
  if (!frame) return `{"message":${stringify(message)}}`;
  const place = `{"file":${stringify(frame.file)},"line":${frame.line},"column":${frame.column}}`;
  return `{"message":${stringify(message)},"frame":${place}}`;
}

function told(own: string[]): ShownError {
  let end = own.length;
  // What the language itself was called for by Weir, to write a result.
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

/** What follows `    at `; empty for a line that is no frame. */
function calledIn(line: string): string {
  let at = 0;
  while (codeAt(line, at) === BLANK || codeAt(line, at) === TAB) at += 1;
  return at > 0 && startsWith(line, 'at ', at) ? sliceText(line, at + 3) : '';
}

/** `async Object.transformEvent (…`. */
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

/** `name (file:line:column)`, or the place alone. */
function framePlace(called: string): Place | undefined {
  if (!endsWith(called, ')')) return placeIn(called, startsWith(called, 'async ') ? 6 : 0, called.length);
  const open = indexIn(called, ' (');
  return open === -1 ? undefined : placeIn(called, open + 2, called.length - 1);
}

/** isolated-vm's way to say where a syntax error is: `… [file:line:column]`. */
function syntaxPlace(line: string): Place | undefined {
  if (!endsWith(line, ']')) return undefined;
  const open = indexIn(line, ' [');
  return open === -1 ? undefined : placeIn(line, open + 2, line.length - 1);
}

/** `file:line:column`, read from its end: a name may hold anything. */
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

/** Where the number begins that ends here, behind a colon. */
function digitsBefore(text: string, end: number): number | undefined {
  let at = end;
  while (end - at <= DIGITS_MAX && codeAt(text, at - 1) >= 48 && codeAt(text, at - 1) <= 57) at -= 1;
  return at < end && end - at <= DIGITS_MAX && codeAt(text, at - 1) === COLON ? at : undefined;
}

const COLON = 58;
const endsWith = (text: string, end: string) => sliceText(text, -end.length) === end;
