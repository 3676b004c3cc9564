/** Bytes of a text, and where each of them begins in the bytes that were there first; the last entry is their length. */
export interface View {
  bytes: Uint8Array;
  at?: Uint32Array;
}

/** What an escape stands for, in UTF-8 and never longer than itself, and how long it is. */
type Escape = [meaning: Uint8Array, length: number];

const code = (char: string) => char.charCodeAt(0);
const [PERCENT, BACKSLASH, AMPERSAND, SEMICOLON] = [code('%'), code('\\'), code('&'), code(';')];
const LETTERS: Record<string, string> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  '"': '"',
  "'": "'",
  '/': '/',
  '\\': '\\',
};
const NAMES = new Map(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }).map(([name, char]) => [name, Buffer.from(char)]),
);
/** `&#1114111;` */
const ENTITY_LENGTH_MAX = 10;
const CODE_POINT_MAX = 0x10_ff_ff;

export const startOf = ({ at }: View, index: number): number => at?.[index] ?? index;

/**
 * The same with one level of escapes taken off: those of URLs and forms (`%22`), of JSON (`\"`, `\u0022`, of which a pair may be
 * one character), and of HTML and XML (`&quot;`, `&#34;`). Undefined when there are none.
 */
export function unescaped(view: View): View | undefined {
  const { bytes } = view;
  if (![PERCENT, BACKSLASH, AMPERSAND].some((byte) => bytes.includes(byte))) return undefined;
  const result = new Uint8Array(bytes.length);
  const at = new Uint32Array(bytes.length + 1);
  let length = 0;
  for (let index = 0; index < bytes.length; ) {
    const found = escapeAt(bytes, index);
    at[length] = startOf(view, index);
    if (found === undefined) {
      result[length++] = bytes[index++] as number;
      continue;
    }
    const [meaning, size] = found;
    for (const byte of meaning) {
      at[length] = startOf(view, index);
      result[length++] = byte;
    }
    index += size;
  }
  if (length === bytes.length) return undefined;
  at[length] = startOf(view, bytes.length);
  return { bytes: result.subarray(0, length), at: at.subarray(0, length + 1) };
}

function escapeAt(bytes: Uint8Array, index: number): Escape | undefined {
  switch (bytes[index]) {
    case PERCENT:
      return percentAt(bytes, index);
    case BACKSLASH:
      return bytes[index + 1] === code('u') ? unitAt(bytes, index) : letterAt(bytes, index);
    case AMPERSAND:
      return entityAt(bytes, index);
    default:
      return undefined;
  }
}

function percentAt(bytes: Uint8Array, index: number): Escape | undefined {
  const byte = hexAt(bytes, index + 1, 2);
  return byte === undefined ? undefined : [SINGLE[byte] as Uint8Array, 3];
}

const letterAt = (bytes: Uint8Array, index: number): Escape | undefined => MEANINGS[bytes[index + 1] ?? 0];

function unitAt(bytes: Uint8Array, index: number): Escape | undefined {
  const unit = hexAt(bytes, index + 2, 4);
  if (unit === undefined) return undefined;
  if (unit < 0x80) return [SINGLE[unit] as Uint8Array, 6];
  const next =
    bytes[index + 6] === BACKSLASH && bytes[index + 7] === code('u') ? hexAt(bytes, index + 8, 4) : undefined;
  const pair = next === undefined ? '' : String.fromCharCode(unit, next);
  if (pair.isWellFormed() && [...pair].length === 1) return [Buffer.from(pair), 12];
  return [Buffer.from(String.fromCharCode(unit)), 6];
}

function entityAt(bytes: Uint8Array, index: number): Escape | undefined {
  let end = index + 1;
  while (end < index + ENTITY_LENGTH_MAX && isEntityByte(bytes[end])) end += 1;
  if (bytes[end] !== SEMICOLON) return undefined;
  const meaning = bytes[index + 1] === code('#') ? pointAt(bytes, index + 2, end) : nameAt(bytes, index + 1, end);
  return meaning && [meaning, end + 1 - index];
}

/** `#`, digits and letters. */
const isEntityByte = (byte = 0): boolean =>
  byte === 0x23 || (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);

const nameAt = (bytes: Uint8Array, start: number, end: number): Uint8Array | undefined =>
  NAMES.get(String.fromCharCode(...bytes.subarray(start, end)).toLowerCase());

function pointAt(bytes: Uint8Array, start: number, end: number): Uint8Array | undefined {
  const isHex = ((bytes[start] ?? 0) | 0x20) === code('x');
  let point = start === end ? -1 : 0;
  for (let index = isHex ? start + 1 : start; index < end; index += 1) {
    const digit = DIGITS[bytes[index] ?? 0] as number;
    if (digit < 0 || (digit > 9 && !isHex)) return undefined;
    point = point * (isHex ? 16 : 10) + digit;
  }
  return SINGLE[point < 0x80 ? point : -1] ?? (point > 0 && point <= CODE_POINT_MAX ? utf8(point) : undefined);
}

const utf8 = (point: number): Uint8Array => Buffer.from(String.fromCodePoint(point));

const SINGLE = Array.from({ length: 256 }, (_, byte) => Uint8Array.of(byte));

const MEANINGS = Array.from({ length: 256 }, (_, byte): Escape | undefined => {
  const meaning = LETTERS[String.fromCharCode(byte)];
  return meaning === undefined ? undefined : [Uint8Array.of(code(meaning)), 2];
});

function hexAt(bytes: Uint8Array, start: number, digits: number): number | undefined {
  let value = 0;
  for (let index = start; index < start + digits; index += 1) {
    const digit = DIGITS[bytes[index] ?? 0] as number;
    if (digit < 0) return undefined;
    value = value * 16 + digit;
  }
  return value;
}

const DIGITS = Int8Array.from({ length: 256 }, (_, byte) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(byte).toLowerCase()),
);
