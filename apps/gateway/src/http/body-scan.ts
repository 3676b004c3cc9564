const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const BLANK = 0x20;

export interface ScanRules {
  depthMax: number;
  /** Depth at which the list of items opens. 0 if there is none. */
  listDepth: number;
}

/** Position of a list item in the body. */
export interface Item {
  from: number;
  to: number;
  /** Count of braces, brackets, commas and colons: the cost of parsing, never more than the item's bytes. */
  weight: number;
}

/**
 * Scans a body before it is parsed. Measures its depth and locates the items of its list, so that callers can parse them one by
 * one. Each call continues where the last one stopped. The body is valid JSON if and only if {@link frame} and all items are.
 */
export class BodyScan {
  readonly items: Item[] = [];
  /** The body with each item replaced by its index. */
  frame = '';
  /** Weight of everything outside the items. */
  frameWeight = 0;
  isTooDeep = false;
  private at = 0;
  private depth = 0;
  private isInText = false;
  private weight = 0;
  private itemFrom = -1;
  private frameFrom = 0;

  constructor(
    private readonly body: Buffer,
    private readonly rules: ScanRules,
  ) {}

  get isOver(): boolean {
    return this.isTooDeep || this.at >= this.body.length;
  }

  advance(bytes: number): void {
    const end = Math.min(this.body.length, this.at + bytes);
    while (this.at < end && !this.isTooDeep) {
      const byte = this.body[this.at] as number;
      if (!this.isInText) this.take(byte);
      else if (byte === BACKSLASH) this.at += 1;
      else if (byte === QUOTE) this.isInText = false;
      this.at += 1;
    }
    if (!this.isOver) return;
    this.frame += this.textOf({ from: this.frameFrom, to: this.body.length });
    this.frameWeight += this.weight;
  }

  textOf({ from, to }: Pick<Item, 'from' | 'to'>): string {
    return this.body.toString('utf8', from, to);
  }

  private take(byte: number): void {
    if (byte === QUOTE) this.isInText = true;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) this.open(byte);
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) this.close();
    else if (byte === COMMA || byte === COLON) this.separate();
  }

  private open(byte: number): void {
    this.depth += 1;
    this.weight += 1;
    if (this.depth > this.rules.depthMax) this.isTooDeep = true;
    if (byte === OPEN_BRACKET && this.depth === this.rules.listDepth) this.beginItem();
  }

  private close(): void {
    if (this.isBetweenItems) {
      this.endItem();
      this.itemFrom = -1;
    }
    this.depth -= 1;
    this.weight += 1;
  }

  private separate(): void {
    const { isBetweenItems } = this;
    if (isBetweenItems) this.endItem();
    this.weight += 1;
    if (isBetweenItems) this.beginItem();
  }

  private get isBetweenItems(): boolean {
    return this.itemFrom !== -1 && this.depth === this.rules.listDepth;
  }

  private beginItem(): void {
    this.frameWeight += this.weight;
    this.weight = 0;
    this.itemFrom = this.at + 1;
  }

  /** Leaves the frame unchanged if the item is empty: an empty list or an extra comma. */
  private endItem(): void {
    const { itemFrom: from, at: to, weight } = this;
    let first = from;
    while (first < to && (this.body[first] as number) <= BLANK) first += 1;
    if (first === to) return;
    this.frame += `${this.textOf({ from: this.frameFrom, to: from })}${this.items.length}`;
    this.items.push({ from, to, weight });
    this.frameFrom = to;
    this.weight = 0;
  }
}
