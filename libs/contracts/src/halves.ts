import { isAppError } from './errors.js';

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
