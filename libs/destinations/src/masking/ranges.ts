/** Shorter pieces are copied byte by byte, because a call for each would take longer. */
const SHORT = 64;

/** Disjoint ranges of a text, in order. Stored as plain numbers, because there may be a hundred thousand. */
export class Ranges {
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];

  get isEmpty(): boolean {
    return this.ends.length === 0;
  }

  /** Adds a range that ends no earlier than those before. Merges it with all ranges that it touches. */
  add(start: number, end: number): void {
    const { starts, ends } = this;
    let last = ends.length - 1;
    if (last < 0 || (ends[last] as number) < start) {
      starts.push(start);
      ends.push(end);
      return;
    }
    let furthest = Math.max(ends[last] as number, end);
    for (; last > 0 && (ends[last - 1] as number) >= start; last -= 1) {
      starts.pop();
      ends.pop();
      furthest = Math.max(furthest, ends[last - 1] as number);
    }
    starts[last] = Math.min(starts[last] as number, start);
    ends[last] = furthest;
  }

  /**
   * Widens the last range over all adjacent bytes in `isAlike`, and then over `tail` bytes after it. Stops at the previous range.
   */
  widenLast(bytes: Uint8Array, isAlike: Uint8Array, tail: number): void {
    const last = this.ends.length - 1;
    if (last < 0) return;
    let [start, end] = [this.starts[last] as number, this.ends[last] as number];
    const floor = last > 0 ? (this.ends[last - 1] as number) : 0;
    while (start > floor && isAlike[bytes[start - 1] as number] === 1) start -= 1;
    while (end < bytes.length && isAlike[bytes[end] as number] === 1) end += 1;
    while (bytes[end] === tail) end += 1;
    this.add(start, end);
  }

  /** The union with other ranges. */
  with(others: Ranges): Ranges {
    if (others.isEmpty) return this;
    if (this.isEmpty) return others;
    const all = new Ranges();
    let [own, other] = [0, 0];
    while (own < this.ends.length || other < others.ends.length) {
      const [ownEnd = Number.POSITIVE_INFINITY, otherEnd = Number.POSITIVE_INFINITY] = [
        this.ends[own],
        others.ends[other],
      ];
      if (ownEnd <= otherEnd) all.add(this.starts[own++] as number, ownEnd);
      else all.add(others.starts[other++] as number, otherEnd);
    }
    return all;
  }

  /** Returns the text with `mark` in place of each range. */
  replacedIn(bytes: Buffer, mark: string): string {
    const result = Buffer.allocUnsafe(bytes.length + this.ends.length * mark.length);
    let [length, at] = [0, 0];
    for (let nth = 0; nth < this.ends.length; nth += 1) {
      length = append(result, length, bytes, at, this.starts[nth] as number);
      for (let index = 0; index < mark.length; index += 1) result[length++] = mark.charCodeAt(index);
      at = this.ends[nth] as number;
    }
    length = append(result, length, bytes, at, bytes.length);
    return result.toString('utf8', 0, length);
  }
}

/** Returns the new length. */
function append(target: Buffer, length: number, source: Buffer, start: number, end: number): number {
  if (end - start >= SHORT) return length + source.copy(target, length, start, end);
  let filled = length;
  for (let index = start; index < end; index += 1) target[filled++] = source[index] as number;
  return filled;
}
