import type { DeliveryResult, ItemOutcome, Payload } from '../../kind.js';
import * as kit from '../../toolkit/index.js';

const LISTS = ['attributes', 'events', 'purchases', 'merge_updates', 'aliases_to_identify', 'subscription_groups'];

/** One `/users/track` takes 75 of each type. Merges, aliases and subscription groups are limited to 50. */
export const brazeBatch = kit.batchLists(LISTS, { itemsMax: 50, bytesMax: 3_000_000, outcomes: refusedByPlace });

/**
 * Braze takes the rest of a request with errors that are not fatal, and names what it refused by list and index.
 * https://www.braze.com/docs/api/errors
 */
function refusedByPlace({ status, response }: DeliveryResult, payloads: readonly Payload[]): ItemOutcome[] | undefined {
  const errors = kit.objectsOf(kit.valueAt(response, 'errors')).filter(({ index }) => typeof index === 'number');
  if (status >= 300 || errors.length === 0) return undefined;
  const refused = new Map<number | undefined, unknown>();
  for (const error of errors) {
    const list = String(error['input_array']);
    const owners = payloads.flatMap(({ body }, place) => [body.JSON[list] ?? []].flat().map(() => place));
    refused.set(owners[Number(error['index'])], error);
  }
  return payloads.map((_, place) => (refused.has(place) ? { status: 400, response: refused.get(place) } : { status }));
}
