import { isJsonObject } from '@weir/contracts';
import type { BatchRule, DeliveryResult, ItemOutcome, Payload } from '../../kind.js';
import * as kit from '../../toolkit/index.js';
import { SEND } from './hubspot.events.js';

/** Contacts in a request. Of events HubSpot takes 500. The older API works best with as many as the new one takes. */
const ITEMS_MAX = 100;
/** HubSpot documents no size. This one leaves much room below what its servers take. */
const BYTES_MAX = 1_000_000;
const limits = { itemsMax: ITEMS_MAX, bytesMax: BYTES_MAX };

const records = kit.batchLists(['inputs'], limits);
const events = kit.batchBodies('inputs', { ...limits, endpoint: () => `${SEND}/batch` });
const legacyContacts = kit.batchArrays(limits);

function ruleOf({ endpoint, body }: Payload): BatchRule {
  if (endpoint === SEND) return events;
  return kit.isEmpty(body.JSON_ARRAY) ? records : legacyContacts;
}

export const hubspotBatch: BatchRule = {
  ...limits,
  keyOf: (payload) => ruleOf(payload).keyOf(payload),
  combine: (payloads) => ruleOf(payloads[0] as Payload).combine(payloads),
  outcomes,
};

/** The status of a result whose items have their own ones. */
export const PARTLY_DONE = 207;

/** Delivery gives the result of each item, because one request for many becomes several. */
function outcomes({ status, response }: DeliveryResult): ItemOutcome[] | undefined {
  const results = kit.valueAt(response, 'results');
  if (status !== PARTLY_DONE || !Array.isArray(results)) return undefined;
  return results
    .filter(isJsonObject)
    .map(({ status: own, response: said }) => ({ status: Number(own), response: said }));
}
