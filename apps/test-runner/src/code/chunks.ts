export interface ChunkBounds<T> {
  itemsMax: number;
  bytesMax: number;
  /** Size of an item in bytes. Default: the length of its JSON. */
  bytesOf?: (item: T) => number;
}

/** Splits a list, in order, into chunks within `itemsMax` and `bytesMax`. An oversized item gets its own chunk. */
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
