import type { DeliveryResult, ItemOutcome, Payload } from '../kind.js';
import * as kit from '../toolkit/index.js';

/** `/import` takes 2,000 events and 10 MB, `/engage` and `/groups` take 2,000 updates. */
export const mixpanelBatch = kit.batchArrays({ itemsMax: 2_000, bytesMax: 5_000_000, outcomes: refusedByPlace });

/** `/import` stores the valid events of a batch even when it answers 400, and names the others by index. */
function refusedByPlace({ status, response }: DeliveryResult, payloads: readonly Payload[]): ItemOutcome[] | undefined {
  const failed = kit.valueAt(response, 'failed_records');
  if (status !== 400 || !Array.isArray(failed) || failed.length === 0) return undefined;
  const reasons = new Map(failed.map((record: unknown) => [kit.valueAt(record, 'index'), record]));
  return kit.outcomesByItem(payloads.map(kit.arrayOf), (_, place) => reasons.get(place));
}
