/** A literal to search for: its first bytes, at most {@link PREFIX_BYTES}, and its full length. */
export interface Literal {
  /** From 0, below {@link LABELS}. Hits report the label. */
  label: number;
  prefix: Uint8Array;
  length: number;
}

export type Hit = (label: number, start: number, end: number) => void;

export const LABELS = 6;

/** This many bytes identify a literal. More would need a large table for a long one. */
export const PREFIX_BYTES = 32;

const BYTES = 256;
const EVERY_BYTE_AS_IT_IS = Uint8Array.from({ length: BYTES }, (_, byte) => byte);

/** How far literals of one label that end at a node extend backwards and beyond it. */
interface Reach {
  label: number;
  back: number;
  ahead: number;
}

/**
 * Finds many literals in one pass over a text (Aho and Corasick, 1975), with one table lookup per byte. The time depends only on
 * the length of the text, not on its content or the number of literals.
 */
export class LiteralSearch {
  /** Maps bytes to columns of the table. Bytes outside all literals share a column, and so do bytes that fold to the same one. */
  private readonly kinds = new Uint16Array(BYTES);
  private readonly columns: number;
  /** The next node, by node and column. */
  private readonly next: Uint16Array | Uint32Array;
  private readonly depth: Uint8Array;
  /** Literals that end at a node, or at a suffix of its text. Most nodes have none. */
  private readonly reaches: (Reach[] | undefined)[];

  /** `fold` maps each byte of literals and texts before the comparison. */
  constructor(literals: Iterable<Literal>, fold: Uint8Array = EVERY_BYTE_AS_IT_IS) {
    const known = [...literals].filter(({ prefix }) => prefix.length > 0);
    this.columns = this.sortBytes(known, fold);
    const nodesMax = 1 + known.reduce((sum, { prefix }) => sum + Math.min(prefix.length, PREFIX_BYTES), 0);
    const table = new Uint32Array(nodesMax * this.columns);
    this.reaches = [undefined];
    const depths = [0];
    for (const literal of known) this.add(literal, table, depths);
    this.depth = Uint8Array.from(depths);
    this.link(table);
    const used = table.subarray(0, depths.length * this.columns);
    this.next = depths.length <= 0x1_00_00 ? Uint16Array.from(used) : used.slice();
  }

  /**
   * Calls `hit` wherever literals of a label end. The range reaches from the start of the longest to the end of the furthest one.
   * Returns how many of the last bytes begin a literal.
   */
  run(text: Uint8Array, hit: Hit): number {
    const { kinds, columns, next, reaches } = this;
    let node = 0;
    for (let index = 0; index < text.length; ) {
      node = next[node * columns + (kinds[text[index++] as number] as number)] as number;
      const ending = reaches[node];
      if (ending === undefined) continue;
      for (let nth = 0; nth < ending.length; nth += 1) {
        const { label, back, ahead } = ending[nth] as Reach;
        hit(label, index - back, index + ahead);
      }
    }
    return this.depth[node] as number;
  }

  private sortBytes(literals: readonly Literal[], fold: Uint8Array): number {
    const kindOf = new Map<number, number>();
    for (const { prefix } of literals) {
      for (const byte of prefix.subarray(0, PREFIX_BYTES)) {
        const folded = fold[byte] as number;
        if (!kindOf.has(folded)) kindOf.set(folded, kindOf.size + 1);
      }
    }
    for (let byte = 0; byte < BYTES; byte += 1) this.kinds[byte] = kindOf.get(fold[byte] as number) ?? 0;
    return kindOf.size + 1;
  }

  private add({ label, prefix, length }: Literal, table: Uint32Array, depths: number[]): void {
    const compared = prefix.subarray(0, PREFIX_BYTES);
    let node = 0;
    for (const byte of compared) {
      const slot = node * this.columns + (this.kinds[byte] as number);
      if (table[slot] === 0) {
        table[slot] = depths.push((depths[node] as number) + 1) - 1;
        this.reaches.push(undefined);
      }
      node = table[slot] as number;
    }
    this.mark(node, { label, back: compared.length, ahead: length - compared.length });
  }

  /** Merges the reaches of one label. */
  private mark(node: number, { label, back, ahead }: Reach): void {
    const ending = this.reaches[node] ?? [];
    this.reaches[node] = ending;
    const known = ending.find((reach) => reach.label === label);
    if (known) {
      known.back = Math.max(known.back, back);
      known.ahead = Math.max(known.ahead, ahead);
    } else {
      ending.push({ label, back, ahead });
      ending.sort((a, b) => a.label - b.label);
    }
  }

  /**
   * Links nodes level by level, because each depends on those above it. A node without a child for a byte continues at the node
   * of its longest proper suffix. Literals that end at that node also end here.
   */
  private link(table: Uint32Array): void {
    const shorter = new Uint32Array(this.depth.length);
    const queue = [0];
    for (const node of queue) {
      const [from, instead] = [node * this.columns, (shorter[node] as number) * this.columns];
      for (let kind = 0; kind < this.columns; kind += 1) {
        const child = table[from + kind] as number;
        const other = node === 0 ? 0 : (table[instead + kind] as number);
        if (child === 0) {
          table[from + kind] = other;
          continue;
        }
        shorter[child] = other;
        for (const reach of this.reaches[other] ?? []) this.mark(child, { ...reach });
        queue.push(child);
      }
    }
  }
}
