/** Bytes of a text. `at` maps each one to its position in the original bytes, and its last entry is the original length. */
export interface View {
  bytes: Uint8Array;
  at?: Uint32Array;
}

const code = (char: string) => char.charCodeAt(0);
const [PERCENT, BACKSLASH, AMPERSAND, SEMICOLON, HASH] = [code('%'), code('\\'), code('&'), code(';'), code('#')];
const [LETTER_U, LETTER_X] = [code('u'), code('x')];
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
const NAMES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const NAME_LENGTH_MAX = 4;
/** `&#1114111;` */
const ENTITY_LENGTH_MAX = 10;
const CODE_POINT_MAX = 0x10_ff_ff;
const REPLACEMENT = 0xff_fd;
/** Length in UTF-8. */
const MEANING_BYTES_MAX = 4;

const NONE = -1;
const table = (of: (char: string, byte: number) => number) =>
  Int16Array.from({ length: 256 }, (_, byte) => of(String.fromCharCode(byte), byte));
const BEGINS = table((_, byte) => ([PERCENT, BACKSLASH, AMPERSAND].includes(byte) ? 1 : 0));
const DIGITS = table((char) => '0123456789abcdef'.indexOf(char.toLowerCase()));
const MEANINGS = table((char) => code(LETTERS[char] ?? '') || NONE);
const IN_ENTITIES = table((char) => (/[#\da-z]/i.test(char) ? 1 : 0));

export const startOf = ({ at }: View, index: number): number => at?.[index] ?? index;

/**
 * Removes one level of escapes: those of URLs and forms (`%22`), of JSON (`\"`, `\u0022`, also as surrogate pairs), and of HTML
 * and XML (`&quot;`, `&#34;`). Undefined when there are none.
 */
export function unescaped(view: View): View | undefined {
  const { bytes } = view;
  if (![PERCENT, BACKSLASH, AMPERSAND].some((byte) => bytes.includes(byte))) return undefined;
  const result = new Uint8Array(bytes.length);
  const at = new Uint32Array(bytes.length + 1);
  const found = new Escape(bytes);
  let length = 0;
  for (let index = 0; index < bytes.length; ) {
    const byte = bytes[index] as number;
    const start = view.at === undefined ? index : (view.at[index] as number);
    if (BEGINS[byte] === 0 || !found.isAt(index)) {
      at[length] = start;
      result[length++] = byte;
      index += 1;
      continue;
    }
    for (let nth = 0; nth < found.meant; nth += 1) {
      at[length] = start;
      result[length++] = found.meaning[nth] as number;
    }
    index += found.length;
  }
  if (length === bytes.length) return undefined;
  at[length] = startOf(view, bytes.length);
  return { bytes: result.subarray(0, length), at: at.subarray(0, length + 1) };
}

/** The last escape that was found. One object serves the whole text, which may hold a hundred thousand escapes. */
class Escape {
  /** The decoded bytes in UTF-8, never longer than the escape. Only the first `meant` bytes count. */
  readonly meaning = new Uint8Array(MEANING_BYTES_MAX);
  meant = 0;
  /** Length of the escape itself. */
  length = 0;

  constructor(private readonly bytes: Uint8Array) {}

  isAt(index: number): boolean {
    switch (this.bytes[index]) {
      case PERCENT:
        return this.stands(this.hex(index + 1, 2), 3);
      case BACKSLASH:
        return this.bytes[index + 1] === LETTER_U ? this.isUnit(index) : this.isLetter(index);
      case AMPERSAND:
        return this.isEntity(index);
      default:
        return false;
    }
  }

  /** Stores a single byte as the meaning. */
  private stands(byte: number, length: number): boolean {
    this.meaning[0] = byte;
    this.meant = 1;
    this.length = length;
    return byte !== NONE;
  }

  private isLetter(index: number): boolean {
    return this.stands(MEANINGS[this.bytes[index + 1] ?? 0] as number, 2);
  }

  private isUnit(index: number): boolean {
    const unit = this.hex(index + 2, 4);
    if (unit === NONE) return false;
    const isPair = this.bytes[index + 6] === BACKSLASH && this.bytes[index + 7] === LETTER_U;
    const next = isPair ? this.hex(index + 8, 4) : NONE;
    if (isHigh(unit) && isLow(next))
      return this.standsForPoint(0x1_00_00 + (unit - 0xd8_00) * 0x4_00 + next - 0xdc_00, 12);
    return this.standsForPoint(unit, 6);
  }

  private isEntity(index: number): boolean {
    const { bytes } = this;
    let end = index + 1;
    while (end < index + ENTITY_LENGTH_MAX && IN_ENTITIES[bytes[end] ?? 0] === 1) end += 1;
    if (bytes[end] !== SEMICOLON) return false;
    const length = end + 1 - index;
    if (bytes[index + 1] === HASH) return this.standsForPoint(this.point(index + 2, end), length);
    return this.stands(this.named(index + 1, end), length);
  }

  private named(start: number, end: number): number {
    if (end - start > NAME_LENGTH_MAX) return NONE;
    return ENTITIES.get(nameKey(this.bytes, start, end)) ?? NONE;
  }

  private point(start: number, end: number): number {
    if (start === end) return NONE;
    const isHex = ((this.bytes[start] ?? 0) | 0x20) === LETTER_X;
    let point = 0;
    for (let index = isHex ? start + 1 : start; index < end; index += 1) {
      const digit = DIGITS[this.bytes[index] ?? 0] as number;
      if (digit < 0 || (digit > 9 && !isHex)) return NONE;
      point = point * (isHex ? 16 : 10) + digit;
    }
    return point <= CODE_POINT_MAX ? point : NONE;
  }

  private hex(start: number, digits: number): number {
    let value = 0;
    for (let index = start; index < start + digits; index += 1) {
      const digit = DIGITS[this.bytes[index] ?? 0] as number;
      if (digit < 0) return NONE;
      value = value * 16 + digit;
    }
    return value;
  }

  private standsForPoint(point: number, length: number): boolean {
    if (point < 0x80) return this.stands(point, length);
    this.length = length;
    this.write(isHigh(point) || isLow(point) ? REPLACEMENT : point);
    return true;
  }

  private write(point: number): void {
    const more = point < 0x8_00 ? 1 : point < 0x1_00_00 ? 2 : 3;
    this.meant = more + 1;
    this.meaning[0] = (0xf0 << (3 - more)) | (point >> (6 * more));
    for (let nth = 1; nth <= more; nth += 1) this.meaning[nth] = 0x80 | ((point >> (6 * (more - nth))) & 0x3f);
  }
}

const isHigh = (unit: number) => unit >= 0xd8_00 && unit < 0xdc_00;
const isLow = (unit: number) => unit >= 0xdc_00 && unit < 0xe0_00;

/** Packs a name of at most {@link NAME_LENGTH_MAX} letters, in lower case, into a number. */
function nameKey(bytes: Uint8Array, start: number, end: number): number {
  let key = 0;
  for (let index = start; index < end; index += 1) key = key * 256 + ((bytes[index] as number) | 0x20);
  return key;
}

const ENTITIES = new Map(
  Object.entries(NAMES).map(([name, char]) => [nameKey(Buffer.from(name), 0, name.length), code(char)]),
);
