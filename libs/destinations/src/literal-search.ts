/** What to look for: the first bytes, of which at most {@link PREFIX_BYTES} count, and how long it is as a whole. */
export interface Literal {
  /** From 0, below {@link LABELS}: hits tell apart what has another label. */
  label: number;
  prefix: Uint8Array;
  length: number;
}

export type Hit = (label: number, start: number, end: number) => void;

export const LABELS = 6;

/** So much of a literal tells it from everything else; more would make a large table of a long one. */
export const PREFIX_BYTES = 32;

/**
 * Finds all of many literals in one pass over a text (Aho and Corasick, 1975): how long it takes depends on the length of the
 * text, not on what stands in it nor on how many literals there are.
 */
export class LiteralSearch {
  private readonly bytes = [0];
  private readonly firstChild = [0];
  private readonly nextSibling = [0];
  /** Children of the root: almost every byte of a text is looked up here. */
  private readonly first = new Array<number>(256).fill(0);
  private readonly depth = [0];
  /** The longest proper end of a node's text that is a node too. */
  private readonly shorter = [0];
  /** A bit for each label of which a literal ends at a node, or at a shorter one. */
  private readonly labels = [0];
  /** By node, and label within it: how far literals that end there reach back, and beyond. */
  private readonly back: number[] = new Array<number>(LABELS).fill(0);
  private readonly ahead: number[] = new Array<number>(LABELS).fill(0);

  constructor(literals: Iterable<Literal>) {
    for (const literal of literals) this.add(literal);
    this.link();
  }

  /**
   * Calls back where literals of a label end: from where the longest of them begins to where the furthest of them goes on.
   * Answers how many of the last bytes are the beginning of a literal.
   */
  run(text: Uint8Array, hit: Hit): number {
    let node = 0;
    for (let index = 0; index < text.length; index += 1) {
      node = this.step(node, text[index] as number);
      for (let left = this.labels[node] as number; left !== 0; left &= left - 1) {
        const label = 31 - Math.clz32(left & -left);
        const slot = node * LABELS + label;
        hit(label, index + 1 - (this.back[slot] as number), index + 1 + (this.ahead[slot] as number));
      }
    }
    return this.depth[node] as number;
  }

  private step(from: number, byte: number): number {
    for (let node = from; ; node = this.shorter[node] as number) {
      const child = this.child(node, byte);
      if (child !== 0 || node === 0) return child;
    }
  }

  private child(node: number, byte: number): number {
    if (node === 0) return this.first[byte] as number;
    let child = this.firstChild[node] as number;
    while (child !== 0 && this.bytes[child] !== byte) child = this.nextSibling[child] as number;
    return child;
  }

  private add({ label, prefix, length }: Literal): void {
    let node = 0;
    const compared = prefix.subarray(0, PREFIX_BYTES);
    for (const byte of compared) node = this.child(node, byte) || this.grow(node, byte);
    if (node !== 0) this.mark(node, label, compared.length, length - compared.length);
  }

  private mark(node: number, label: number, back: number, ahead: number): void {
    this.labels[node] = (this.labels[node] as number) | (1 << label);
    const slot = node * LABELS + label;
    this.back[slot] = Math.max(back, this.back[slot] as number);
    this.ahead[slot] = Math.max(ahead, this.ahead[slot] as number);
  }

  private grow(parent: number, byte: number): number {
    const node = this.bytes.push(byte) - 1;
    this.nextSibling.push(this.firstChild[parent] as number);
    this.firstChild[parent] = node;
    if (parent === 0) this.first[byte] = node;
    this.firstChild.push(0);
    this.depth.push((this.depth[parent] as number) + 1);
    this.shorter.push(0);
    this.labels.push(0);
    for (let label = 0; label < LABELS; label += 1) {
      this.back.push(0);
      this.ahead.push(0);
    }
    return node;
  }

  /** Level by level, as each node needs those above it: what ends at a shorter node ends at this one too. */
  private link(): void {
    const queue = [0];
    for (const parent of queue) {
      for (let node = this.firstChild[parent] as number; node !== 0; node = this.nextSibling[node] as number) {
        const shorter = parent === 0 ? 0 : this.step(this.shorter[parent] as number, this.bytes[node] as number);
        this.shorter[node] = shorter;
        this.takeOver(node, shorter);
        queue.push(node);
      }
    }
  }

  private takeOver(node: number, shorter: number): void {
    for (let label = 0; label < LABELS; label += 1) {
      const slot = shorter * LABELS + label;
      if ((this.labels[shorter] as number) & (1 << label)) {
        this.mark(node, label, this.back[slot] as number, this.ahead[slot] as number);
      }
    }
  }
}
