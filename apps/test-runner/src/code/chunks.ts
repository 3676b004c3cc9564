/** Cuts a list into parts of at most so many items and bytes of JSON, in order; an item that is too large stands alone. */
export function chunksOf<T>(items: T[], { itemsMax, bytesMax }: { itemsMax: number; bytesMax: number }): T[][] {
  const chunks: T[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const item of items) {
    const size = Buffer.byteLength(JSON.stringify(item)) + 1;
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
