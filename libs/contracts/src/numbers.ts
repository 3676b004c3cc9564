/**
 * In valid JSON, matches an identifying key and a number behind it that may lose precision. Numbers of up to fifteen digits never
 * do. It cannot match inside a text, because a quote there follows a backslash.
 */
// linear: an attempt begins at a quoted key, stops at the first other character and reads a number twice. No two keys overlap.
const LONG_ID = /(?<!\\)"(id|(?:user|anonymous|previous|group|message)Id)"(\s*:\s*)(-?(?=\d{16}|\d+[.eE])[\d.eE+-]+)/g;
/** Matches an escape sequence. The group captures the code if it stands for an ASCII letter. */
const ESCAPE = /\\(?:u00([46][1-9a-f]|[57][0-9a])|.)/gi;
const DECIMAL = /^(-?\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
/** A double shows at most 17 digits. Longer numbers count as not kept, without a closer look. */
const WRITTEN_CHARS_MAX = 64;
/** Beyond the exponent range of doubles. */
const EXPONENT_MAX = 400;

/**
 * Quotes ids in valid JSON that a number cannot represent: `"userId":12345678901234567890` becomes `"12345678901234567890"`.
 * Other numbers stay numbers, so `123.0` is 123 and `1e2` is 100, with the texts `123` and `100` (ruling 12).
 */
export const withIdsAsWritten = (json: string): string => [...piecesWithIdsAsWritten(json)].join('');

/** The same result in pieces, some empty. A long text can hold hundreds of thousands of ids, so the reader can pause. */
export function* piecesWithIdsAsWritten(written: string): Generator<string> {
  const json = yield* plainLetters(written);
  let from = 0;
  for (const match of json.matchAll(LONG_ID)) {
    const [whole, field, colon, number = ''] = match;
    let piece = '';
    if (!isKept(number)) {
      piece = `${json.slice(from, match.index)}"${field}"${colon}"${number}"`;
      from = match.index + whole.length;
    }
    yield piece;
  }
  yield json.slice(from);
}

/** Replaces escaped ASCII letters, as in the key `"user\u0049d"`. Yields at each escape, so that the reader can pause. */
function* plainLetters(json: string): Generator<string, string> {
  if (!json.includes('\\u00')) return json;
  let plain = '';
  let from = 0;
  for (const { 0: whole, 1: code, index } of json.matchAll(ESCAPE)) {
    yield '';
    if (!code) continue;
    plain += `${json.slice(from, index)}${String.fromCharCode(Number.parseInt(code, 16))}`;
    from = index + whole.length;
  }
  return plain + json.slice(from);
}

/** Whether the double, printed without an exponent, has exactly the value that was written. */
export function isKept(written: string): boolean {
  const text = String(Number(written));
  if (written.length > WRITTEN_CHARS_MAX || text.includes('e')) return false;
  const [given, shown] = [decimalOf(written), decimalOf(text)];
  if (!given || !shown) return false;
  const exponent = Math.min(given.exponent, shown.exponent);
  return scaled(given, exponent) === scaled(shown, exponent);
}

interface Decimal {
  digits: bigint;
  exponent: number;
}

/** Undefined if the text is not a decimal number or lies outside the range of doubles. */
function decimalOf(text: string): Decimal | undefined {
  const [, whole, fraction = '', power = '0'] = DECIMAL.exec(text) ?? [];
  const exponent = Number(power) - fraction.length;
  return whole === undefined || Math.abs(exponent) > EXPONENT_MAX
    ? undefined
    : { digits: BigInt(whole + fraction), exponent };
}

const scaled = ({ digits, exponent }: Decimal, to: number) => digits * 10n ** BigInt(exponent - to);

/**
 * The texts under which an identifier may appear in events: as given, and in the form that a number shows if it loses digits.
 * Only ids keep their digits in events. Other fields are plain numbers.
 */
export function writtenForms(identifier: string): string[] {
  const isNumber = identifier.length <= WRITTEN_CHARS_MAX && DECIMAL.test(identifier);
  return isNumber && !isKept(identifier) ? [identifier, String(Number(identifier))] : [identifier];
}
