/** Bytes that mean something in JSON. */
const SPACE = 0x20;
const QUOTE = 0x22;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const LETTER_E = 0x65;
const LETTER_U = 0x75;
export const OPEN_OBJECT = 0x7b;
/** What makes a letter a small one. */
const LOWER_CASE = 0x20;
/** `]` and `}` come two places after `[` and `{`. */
const TO_CLOSE = 2;

/** What stands for itself within a string. */
const PLAIN = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(byte >= SPACE && byte !== QUOTE && byte !== BACKSLASH),
);
const SPACES = tableOf(' \t\n\r');
const ESCAPES = tableOf('"\\/bfnrtu');
const WORDS = ['true', 'false', 'null'].map((word) => [...Buffer.from(word)]);

/**
 * Walks over JSON without making values of it: events go from the broker to the isolate and back as they are, and this
 * finds where each one begins and ends. It checks the grammar on the way, so that what it has passed over can be put into
 * another text. Throws {@link SyntaxError} for what is not JSON.
 */
export class JsonCursor {
  constructor(
    private readonly bytes: Buffer,
    public at = 0,
  ) {}

  /** The byte that the next value begins with. */
  get next(): number | undefined {
    this.at = afterSpace(this.bytes, this.at);
    return this.bytes[this.at];
  }

  /** Calls back at the value of each field; who is called back has to pass over it. */
  eachField(visit: (key: string) => void): void {
    if (this.next !== OPEN_OBJECT) throw malformed(this.at);
    this.eachPart(() => visit(this.key()));
  }

  /** Calls back at each element; who is called back has to pass over it. */
  eachElement(visit: (index: number) => void): void {
    if (this.next !== OPEN_ARRAY) throw malformed(this.at);
    let index = 0;
    this.eachPart(() => visit(index++));
  }

  /** Passes over a value and parses it. */
  value(): unknown {
    const { start, end } = this.skip();
    return JSON.parse(this.bytes.toString('utf8', start, end));
  }

  /** Passes over exactly this text when it is next: for what is known to be written in one way only. */
  passed(text: Buffer): boolean {
    for (let index = 0; index < text.length; index += 1) {
      if (this.bytes[this.at + index] !== text[index]) return false;
    }
    this.at += text.length;
    return true;
  }

  /**
   * Passes over a value, however deep, without recursion. `depth` counts the levels of nesting. Every byte of every event
   * comes by here, twice: so it is one loop.
   */
  skip(): Slice & { depth: number } {
    const { bytes } = this;
    let at = afterSpace(bytes, this.at);
    const start = at;
    const open: number[] = [];
    let innermost = 0;
    let depth = 0;
    do {
      const byte = bytes[at] as number;
      if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        at = afterSpace(bytes, at + 1);
        innermost = byte;
        depth = Math.max(depth, open.push(byte));
        if (bytes[at] !== byte + TO_CLOSE) {
          if (byte === OPEN_OBJECT) at = afterKey(bytes, at);
          continue;
        }
      } else {
        at = afterSpace(bytes, byte === QUOTE ? afterString(bytes, at) : afterScalar(bytes, at));
      }
      while (open.length > 0 && bytes[at] === innermost + TO_CLOSE) {
        open.pop();
        innermost = open[open.length - 1] ?? 0;
        at = open.length > 0 ? afterSpace(bytes, at + 1) : at + 1;
      }
      if (open.length === 0) break;
      if (bytes[at] !== COMMA) throw malformed(at);
      at = afterSpace(bytes, at + 1);
      if (innermost === OPEN_OBJECT) at = afterKey(bytes, at);
    } while (open.length > 0);
    this.at = at;
    return { start, end: at, depth };
  }

  /** Nothing but white space may follow. */
  end(): void {
    if (this.next !== undefined) throw malformed(this.at);
  }

  /** The parts of an object or array, of which the bracket is next. */
  private eachPart(visit: () => void): void {
    const { bytes } = this;
    const closing = (bytes[this.at] as number) + TO_CLOSE;
    this.at += 1;
    if (this.next !== closing) {
      visit();
      while (this.next === COMMA) {
        this.at += 1;
        visit();
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

// Past the end every byte reads as undefined, which compares as false and is in no table.

function afterSpace(bytes: Buffer, from: number): number {
  let at = from;
  while ((bytes[at] as number) <= SPACE && SPACES[bytes[at] as number] === 1) at += 1;
  return at;
}

/** To the value of a field. */
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
  if (!/^[0-9a-fA-F]{4}$/.test(bytes.toString('latin1', at + 2, at + 6))) throw malformed(at);
  return 6;
}

function afterScalar(bytes: Buffer, at: number): number {
  const first = bytes[at] as number;
  if (first === MINUS || isDigit(first)) return afterNumber(bytes, at);
  const word = WORDS.find((each) => each[0] === first);
  if (!word?.every((byte, index) => bytes[at + index] === byte)) throw malformed(at);
  return at + word.length;
}

function afterNumber(bytes: Buffer, from: number): number {
  let at = bytes[from] === MINUS ? from + 1 : from;
  at = bytes[at] === ZERO ? at + 1 : afterDigits(bytes, at);
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

/** Where a value begins, and the place after its end. */
export interface Slice {
  start: number;
  end: number;
}

function tableOf(characters: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}

const isDigit = (byte: number) => byte >= ZERO && byte <= NINE;
const malformed = (at: number) => new SyntaxError(`not JSON at byte ${at}`);
