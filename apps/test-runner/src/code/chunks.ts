export interface ChunkBounds<T> {
  itemsMax: number;
  bytesMax: number;
  /** Bytes of an item; by default those of its JSON. */
  bytesOf?: (item: T) => number;
}

/** Cuts a list into parts of at most so many items and bytes, in order; an item that is too large stands alone. */
export function chunksOf<T>(items: T[], { itemsMax, bytesMax, bytesOf = jsonBytes }: ChunkBounds<T>): T[][] {
  const chunks: T[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const item of items) {
    const size = bytesOf(item) + 1;
    const last = chunks.at(-1);
    if (last && last.length < itemsMax && bytes + size <= bytesMax) {
      last.push(item);
      bytes += size;
    } else {
      chunks.push([item]);
      bytes = size;
    }
  }
  return chunks;
}

const jsonBytes = (item: unknown): number => Buffer.byteLength(JSON.stringify(item));
