import { isAppError } from './errors.js';

export interface ChunkBounds<T> {
  itemsMax?: number;
  bytesMax?: number;
  /** Size of an item in bytes. Default: the length of its JSON. One more byte is counted for the comma between items. */
  bytesOf?: (item: T) => number;
}

/** Cuts a list, in order, into chunks within the bounds. An item above `bytesMax` gets a chunk of its own. */
export function chunksOf<T>(items: readonly T[], bounds: ChunkBounds<T>): T[][] {
  const { itemsMax = Number.POSITIVE_INFINITY, bytesMax, bytesOf = jsonBytes } = bounds;
  const chunks: T[][] = [];
  let bytes = 0;
  for (const item of items) {
    const size = bytesMax === undefined ? 0 : bytesOf(item) + 1;
    const last = chunks.at(-1);
    if (last && last.length < itemsMax && bytes + size <= (bytesMax ?? 0)) {
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

/**
 * Calls with the items, and with each half of them again if the answer does not fit one message (`too_large`). Resolves with the
 * answers in the order of the items. Rejects if the answer to a single item does not fit.
 */
export async function inHalves<Item, Answer>(
  items: readonly Item[],
  call: (part: readonly Item[]) => Promise<Answer>,
): Promise<Answer[]> {
  try {
    return [await call(items)];
  } catch (error) {
    if (!isAppError(error) || error.code !== 'too_large' || items.length <= 1) throw error;
    const half = Math.ceil(items.length / 2);
    const first = await inHalves(items.slice(0, half), call);
    return [...first, ...(await inHalves(items.slice(half), call))];
  }
}
