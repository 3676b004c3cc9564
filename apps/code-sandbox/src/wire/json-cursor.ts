/** Bytes with a meaning in JSON. */
const SPACE = 0x20;
const QUOTE = 0x22;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
export const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const LETTER_E = 0x65;
const LETTER_F = 0x66;
const LETTER_T = 0x74;
const LETTER_U = 0x75;
export const OPEN_OBJECT = 0x7b;
/** The bit that makes a letter lower case. */
const LOWER_CASE = 0x20;
/** `]` and `}` have codes two above `[` and `{`. */
const TO_CLOSE = 2;

/** Bytes that stand for themselves in a string. */
const PLAIN = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(byte >= SPACE && byte !== QUOTE && byte !== BACKSLASH),
);
const SPACES = tableOf(' \t\n\r');
const ESCAPES = tableOf('"\\/bfnrtu');
const HEX = tableOf('0123456789abcdefABCDEF');
const TRUE = Buffer.from('true');
const FALSE = Buffer.from('false');
const NULL = Buffer.from('null');

/** Open brackets in {@link JsonCursor.skip}. All calls share one list because `skip` is synchronous. */
let open = new Uint8Array(256);

/**
 * Walks over JSON without creating values. Events travel unchanged between broker and isolate, and this finds their boundaries.
 * It also checks the grammar, so skipped text can be copied into another document. Throws {@link SyntaxError} if the text is not
 * JSON.
 */
export class JsonCursor {
  constructor(
    private readonly bytes: Buffer,
    public at = 0,
  ) {}

  /** The first byte of the next value. */
  get next(): number | undefined {
    this.at = afterSpace(this.bytes, this.at);
    return this.bytes[this.at];
  }

  /** Stops at the value of each field and yields its key. The caller must pass the value before continuing. */
  *fields(): Generator<string> {
    if (this.next !== OPEN_OBJECT) throw malformed(this.at);
    for (const _ of this.parts()) yield this.key();
  }

  /** Stops at each element and yields its index. The caller must pass the element before continuing. */
  *elements(): Generator<number> {
    if (this.next !== OPEN_ARRAY) throw malformed(this.at);
    let index = 0;
    for (const _ of this.parts()) yield index++;
  }

  /** Passes a value and returns it parsed. */
  value(): unknown {
    const start = afterSpace(this.bytes, this.at);
    this.skip();
    return JSON.parse(this.bytes.toString('utf8', start, this.at));
  }

  /** Passes exactly this text if it comes next. For text with only one possible spelling. */
  passed(text: Buffer): boolean {
    for (let index = 0; index < text.length; index += 1) {
      if (this.bytes[this.at + index] !== text[index]) return false;
    }
    this.at += text.length;
    return true;
  }

  /**
   * Passes a value of any depth without recursion and returns its nesting depth. Every byte of every event goes through here
   * twice, so this is a single loop that allocates nothing per value. `ofObjects` requires every element of a list to be an
   * object.
   */
  skip(ofObjects = false): number {
    const { bytes } = this;
    let at = afterSpace(bytes, this.at);
    let innermost = 0;
    let level = 0;
    let depth = 0;
    for (;;) {
      const byte = bytes[at] as number;
      if (ofObjects && level === 1 && byte !== OPEN_OBJECT) throw malformed(at);
      if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        if (level === open.length) open = doubled(open);
        open[level] = byte;
        level += 1;
        if (level > depth) depth = level;
        innermost = byte;
        at = afterSpace(bytes, at + 1);
        if (bytes[at] !== byte + TO_CLOSE) {
          if (byte === OPEN_OBJECT) at = afterKey(bytes, at);
          continue;
        }
      } else {
        at = byte === QUOTE ? afterString(bytes, at) : afterScalar(bytes, at, byte);
        if (level > 0 && (bytes[at] as number) <= SPACE) at = afterSpace(bytes, at);
      }
      while (level > 0 && bytes[at] === innermost + TO_CLOSE) {
        level -= 1;
        innermost = level > 0 ? (open[level - 1] as number) : 0;
        at = level > 0 ? afterSpace(bytes, at + 1) : at + 1;
      }
      if (level === 0) break;
      if (bytes[at] !== COMMA) throw malformed(at);
      at += 1;
      if ((bytes[at] as number) <= SPACE) at = afterSpace(bytes, at);
      if (innermost === OPEN_OBJECT) at = afterKey(bytes, at);
    }
    this.at = at;
    return depth;
  }

  /** Throws unless only white space follows. */
  end(): void {
    if (this.next !== undefined) throw malformed(this.at);
  }

  /** Steps through the parts of an object or array whose bracket comes next. */
  private *parts(): Generator<undefined> {
    const { bytes } = this;
    const closing = (bytes[this.at] as number) + TO_CLOSE;
    this.at += 1;
    if (this.next !== closing) {
      yield;
      while (this.next === COMMA) {
        this.at += 1;
        yield;
      }
    }
    if (this.next !== closing) throw malformed(this.at);
    this.at += 1;
  }

  private key(): string {
    const start = afterSpace(this.bytes, this.at);
    const end = afterString(this.bytes, start);
    this.at = afterKey(this.bytes, start);
    return JSON.parse(this.bytes.toString('utf8', start, end)) as string;
  }
}

// Past the end, every byte is undefined, which makes each comparison false and is in no table.

function afterSpace(bytes: Buffer, from: number): number {
  let at = from;
  while ((bytes[at] as number) <= SPACE && SPACES[bytes[at] as number] === 1) at += 1;
  return at;
}

/** Returns the position of the field's value. */
function afterKey(bytes: Buffer, from: number): number {
  const at = afterSpace(bytes, afterString(bytes, from));
  if (bytes[at] !== COLON) throw malformed(at);
  return afterSpace(bytes, at + 1);
}

function afterString(bytes: Buffer, from: number): number {
  if (bytes[from] !== QUOTE) throw malformed(from);
  let at = from + 1;
  for (;;) {
    while (PLAIN[bytes[at] as number] === 1) at += 1;
    if (bytes[at] === QUOTE) return at + 1;
    if (bytes[at] !== BACKSLASH) throw malformed(at);
    at += escapeLength(bytes, at);
  }
}

function escapeLength(bytes: Buffer, at: number): number {
  const escaped = bytes[at + 1] as number;
  if (ESCAPES[escaped] !== 1) throw malformed(at);
  if (escaped !== LETTER_U) return 2;
  for (let index = at + 2; index < at + 6; index += 1) if (HEX[bytes[index] as number] !== 1) throw malformed(at);
  return 6;
}

function afterScalar(bytes: Buffer, at: number, first: number): number {
  if (first === MINUS || isDigit(first)) return afterNumber(bytes, at);
  const word = first === LETTER_T ? TRUE : first === LETTER_F ? FALSE : NULL;
  for (let index = 0; index < word.length; index += 1) if (bytes[at + index] !== word[index]) throw malformed(at);
  return at + word.length;
}

function afterNumber(bytes: Buffer, from: number): number {
  let at = bytes[from] === MINUS ? from + 1 : from;
  at = bytes[at] === ZERO ? at + 1 : afterDigits(bytes, at);
  if (bytes[at] === COMMA) return at;
  if (bytes[at] === POINT) at = afterDigits(bytes, at + 1);
  if (((bytes[at] as number) | LOWER_CASE) !== LETTER_E) return at;
  const sign = bytes[at + 1];
  return afterDigits(bytes, sign === MINUS || sign === PLUS ? at + 2 : at + 1);
}

function afterDigits(bytes: Buffer, from: number): number {
  let at = from;
  while (isDigit(bytes[at] as number)) at += 1;
  if (at === from) throw malformed(at);
  return at;
}

function doubled(list: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const longer = new Uint8Array(2 * list.length);
  longer.set(list);
  return longer;
}

function tableOf(characters: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}

const isDigit = (byte: number) => byte >= ZERO && byte <= NINE;
const malformed = (at: number) => new SyntaxError(`not JSON at byte ${at}`);
