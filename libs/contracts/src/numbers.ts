/**
 * A key that names somebody or something, wherever in an event, and a number behind it that may not be kept, in valid JSON: fifteen
 * digits are. No text can hold it: a quote inside of a text has a backslash before it.
 */
// linear: a try begins at a quoted key, ends at the first other character, reads a number twice, and no key holds another's beginning
const LONG_ID = /(?<!\\)"(id|(?:user|anonymous|previous|group|message)Id)"(\s*:\s*)(-?(?=\d{16}|\d+[.eE])[\d.eE+-]+)/g;
/** An escape, and of one that stands for a letter of ASCII its code. */
const ESCAPE = /\\(?:u00([46][1-9a-f]|[57][0-9a])|.)/gi;
const DECIMAL = /^(-?\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
/** A double shows at most 17 digits; a number that is written longer is looked at no more closely. */
const WRITTEN_CHARS_MAX = 64;
/** Beyond the exponents of doubles. */
const EXPONENT_MAX = 400;

/**
 * Valid JSON with the ids that a number cannot keep as texts: `"userId":12345678901234567890` becomes `"12345678901234567890"`.
 * What a number keeps stays one, so `123.0` is 123 and `1e2` is 100, with the texts `123` and `100` (ruling 12).
 */
export const withIdsAsWritten = (json: string): string => [...piecesWithIdsAsWritten(json)].join('');

/** The same in pieces, some of them empty: a long text can have hundreds of thousands of ids, so who reads one takes pauses. */
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

/** The same JSON without needless escapes, as a key may be written `"user\u0049d"`; it pauses at each. */
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

/** Whether the double shows, as digits without an exponent, the value that is written. */
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

/** Undefined for what is no decimal number, or none that a double comes near to. */
function decimalOf(text: string): Decimal | undefined {
  const [, whole, fraction = '', power = '0'] = DECIMAL.exec(text) ?? [];
  const exponent = Number(power) - fraction.length;
  return whole === undefined || Math.abs(exponent) > EXPONENT_MAX
    ? undefined
    : { digits: BigInt(whole + fraction), exponent };
}

const scaled = ({ digits, exponent }: Decimal, to: number) => digits * 10n ** BigInt(exponent - to);

/**
 * The texts under which an identifier may stand in events: as it is given, and for digits that a number cannot keep also as a
 * number shows them, because what events hold besides ids are numbers like any other.
 */
export function writtenForms(identifier: string): string[] {
  const isNumber = identifier.length <= WRITTEN_CHARS_MAX && DECIMAL.test(identifier);
  return isNumber && !isKept(identifier) ? [identifier, String(Number(identifier))] : [identifier];
}
