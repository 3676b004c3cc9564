import { isJsonObject } from '@weir/contracts';
import type { BatchRule, DeliveryResult, Payload } from '../../kind.js';
import * as kit from '../../toolkit/index.js';

/** A response counts the records that it took and those that it refused, but does not name them. */
const rejectedIn = ({ response }: DeliveryResult): number =>
  isJsonObject(response) ? (kit.toInteger(response['rejected']) ?? 0) : 0;

/** https://docs.ometria.com/docs/ometria-data-api-introduction: 100 records of 60 KB each. */
const records = kit.batchArrays({
  itemsMax: 100,
  bytesMax: 5_000_000,
  outcomes: (result, payloads) =>
    rejectedIn(result) >= payloads.length ? payloads.map(() => ({ status: 400 })) : undefined,
  // Records replace those of the same id, so records that it took may be sent again.
  isOfSome: (result) => rejectedIn(result) > 0,
});

/** A request has records of one type only. */
export const ometriaBatch: BatchRule = {
  ...records,
  keyOf: (payload) => `${typeOf(payload)} ${records.keyOf(payload)}`,
};

const typeOf = (payload: Payload) => kit.valueAt(kit.arrayOf(payload), '0.@type');
