import { isDeepStrictEqual } from 'node:util';
import type { DeliveryResult, ItemOutcome, Payload } from '../kind.js';
import * as kit from '../toolkit/index.js';

/** 1,000 records per request, https://developer.clevertap.com/docs/upload-events-api */
export const clevertapBatch = kit.batchLists(['d'], { itemsMax: 1_000, bytesMax: 3_000_000, outcomes: refusedWith200 });

/** CleverTap answers 200 even if it refuses some or all records. The response then repeats the refused ones. */
function refusedWith200({ status, response }: DeliveryResult, payloads: readonly Payload[]): ItemOutcome[] | undefined {
  const verdict = kit.valueAt(response, 'status');
  if (status !== 200 || (verdict !== 'fail' && verdict !== 'partial')) return undefined;
  const lists = payloads.map(({ body }) => [body.JSON['d']].flat());
  const refused = [kit.valueAt(response, 'unprocessed')].flat().filter(kit.isGiven);
  const about = (record: unknown) => (entry: unknown) => isDeepStrictEqual(kit.valueAt(entry, 'record'), record);
  const isNamed = (entry: unknown) => lists.flat().some((record) => about(record)(entry));
  // Nothing is sent again, because CleverTap counts a repeated event twice.
  if (refused.length === 0 || !refused.every(isNamed)) return payloads.map(() => ({ status: 400, response }));
  return kit.outcomesByItem(lists, (record) => refused.find(about(record)));
}
