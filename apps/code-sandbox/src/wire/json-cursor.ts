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
    this.skipSpace();
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

  /** Passes over a value, however deep, without recursion. `depth` counts the levels of nesting. */
  skip(): Slice & { depth: number } {
    this.skipSpace();
    const start = this.at;
    const open: number[] = [];
    let depth = 0;
    do {
      const opened = this.open();
      if (opened === undefined || this.isClosed(opened)) {
        if (opened !== undefined) depth = Math.max(depth, open.length + 1);
        this.closeAll(open);
      } else {
        depth = Math.max(depth, open.push(opened));
        if (opened === OPEN_OBJECT) this.passKey();
      }
    } while (open.length > 0);
    return { start, end: this.at, depth };
  }

  /** Nothing but white space may follow. */
  end(): void {
    if (this.next !== undefined) throw malformed(this.at);
  }

  /** Passes over a scalar, or into an object or array, of which it tells the bracket. */
  private open(): number | undefined {
    this.skipSpace();
    const byte = this.bytes[this.at];
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      this.at += 1;
      return byte;
    }
    if (byte === QUOTE) this.skipString();
    else this.skipScalar();
    return undefined;
  }

  private isClosed(opened: number): boolean {
    this.skipSpace();
    if (this.bytes[this.at] !== opened + TO_CLOSE) return false;
    this.at += 1;
    return true;
  }

  /** After a value: closes what ends here, and goes on to the next value of what does not. */
  private closeAll(open: number[]): void {
    while (open.length > 0 && this.isClosed(open[open.length - 1] as number)) open.pop();
    if (open.length === 0) return;
    this.pass(COMMA);
    if (open[open.length - 1] === OPEN_OBJECT) this.passKey();
  }

  private eachPart(visit: () => void): void {
    const opened = this.open() ?? 0;
    if (this.isClosed(opened)) return;
    do visit();
    while (!this.isClosed(opened) && this.pass(COMMA));
  }

  private key(): string {
    const start = this.skipSpace();
    this.skipString();
    const key = JSON.parse(this.bytes.toString('utf8', start, this.at)) as string;
    this.pass(COLON);
    return key;
  }

  private passKey(): void {
    this.skipSpace();
    this.skipString();
    this.pass(COLON);
  }

  private pass(byte: number): true {
    if (this.next !== byte) throw malformed(this.at);
    this.at += 1;
    return true;
  }

  private skipSpace(): number {
    while (SPACES[this.bytes[this.at] as number] === 1) this.at += 1;
    return this.at;
  }

  /** Past the end every byte reads as undefined, which compares as false. */
  private skipString(): void {
    const { bytes } = this;
    let { at } = this;
    if (bytes[at] !== QUOTE) throw malformed(at);
    at += 1;
    for (let byte = bytes[at] as number; byte !== QUOTE; byte = bytes[at] as number) {
      if (!(byte >= SPACE)) throw malformed(at);
      at += byte === BACKSLASH ? this.escapeLength(at) : 1;
    }
    this.at = at + 1;
  }

  private escapeLength(at: number): number {
    const escaped = this.bytes[at + 1] as number;
    if (ESCAPES[escaped] !== 1) throw malformed(at);
    if (escaped !== LETTER_U) return 2;
    if (!/^[0-9a-fA-F]{4}$/.test(this.bytes.toString('latin1', at + 2, at + 6))) throw malformed(at);
    return 6;
  }

  private skipScalar(): void {
    const { bytes, at } = this;
    const first = bytes[at] as number;
    if (first === MINUS || isDigit(first)) this.skipNumber();
    else {
      const word = WORDS.find((each) => each[0] === first);
      if (!word?.every((byte, index) => bytes[at + index] === byte)) throw malformed(at);
      this.at = at + word.length;
    }
  }

  private skipNumber(): void {
    if (this.bytes[this.at] === MINUS) this.at += 1;
    if (this.bytes[this.at] === ZERO) this.at += 1;
    else this.skipDigits();
    if (this.bytes[this.at] === POINT) {
      this.at += 1;
      this.skipDigits();
    }
    if (((this.bytes[this.at] as number) | LOWER_CASE) !== LETTER_E) return;
    this.at += 1;
    const sign = this.bytes[this.at];
    if (sign === MINUS || sign === PLUS) this.at += 1;
    this.skipDigits();
  }

  private skipDigits(): void {
    const { bytes } = this;
    let { at } = this;
    if (!isDigit(bytes[at] as number)) throw malformed(at);
    while (isDigit(bytes[at] as number)) at += 1;
    this.at = at;
  }
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
