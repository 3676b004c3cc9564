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

const BYTES = 256;
const EVERY_BYTE_AS_IT_IS = Uint8Array.from({ length: BYTES }, (_, byte) => byte);

/** How far literals of one label that end at a node reach back, and beyond. */
interface Reach {
  label: number;
  back: number;
  ahead: number;
}

/**
 * Finds all of many literals in one pass over a text (Aho and Corasick, 1975), at one look into a table for each byte: how long it
 * takes depends on the length of the text, not on what stands in it nor on how many literals there are.
 */
export class LiteralSearch {
  /** Bytes that stand in no literal are alike; so are those that are folded to the same one. The table has a column for each kind. */
  private readonly kinds = new Uint16Array(BYTES);
  private readonly columns: number;
  /** The next node, by node and kind of byte. */
  private readonly next: Uint16Array | Uint32Array;
  private readonly depth: Uint8Array;
  /** Literals that end at a node, or at the end of its text; most nodes have none. */
  private readonly reaches: (Reach[] | undefined)[];

  /** `fold`: what each byte of literals and texts is taken for. */
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
   * Calls back where literals of a label end: from where the longest of them begins to where the furthest of them goes on.
   * Answers how many of the last bytes are the beginning of a literal.
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

  /** Those of one label count as one. */
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
   * Level by level, as each node needs those above it. Where a node has no way on it goes on as the longest proper end of its
   * text that is a node too, and what ends there ends at this one as well.
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
