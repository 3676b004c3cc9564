import { isJsonObject } from '@weir/contracts';
import type { BatchRule, DeliveryResult, ItemOutcome, Payload } from '../kind.js';
import * as kit from '../toolkit/index.js';
import { SEND, UPSERT } from './hubspot.transform.js';

/** HubSpot takes 100 contacts or 500 events per request. */
const BYTES_MAX = 1_000_000;
const contacts = kit.batchLists(['inputs'], { itemsMax: 100, bytesMax: BYTES_MAX });
const events = kit.batchBodies('inputs', { itemsMax: 100, bytesMax: BYTES_MAX, endpoint: () => `${SEND}/batch` });
const ruleOf = ({ endpoint }: Payload) => (endpoint === UPSERT ? contacts : events);

export const hubspotBatch: BatchRule = {
  itemsMax: 100,
  bytesMax: BYTES_MAX,
  keyOf: (payload) => ruleOf(payload).keyOf(payload),
  combine: (payloads) => {
    const [first] = payloads;
    if (!first) throw new TypeError('a batch without payloads');
    const combined = ruleOf(first).combine(payloads);
    return first.endpoint === UPSERT ? traced(combined) : combined;
  },
  outcomes,
};

/** Numbers the contacts, because HubSpot identifies refused ones by this id. */
function traced(payload: Payload): Payload {
  const { inputs } = payload.body.JSON;
  const items = Array.isArray(inputs) ? inputs.filter(isJsonObject) : [];
  const numbered = items.map((input, index) => ({ ...input, objectWriteTraceId: String(index) }));
  return { ...payload, body: { ...payload.body, JSON: { inputs: numbered } } };
}

const PARTLY_DONE = 207;

/** A response to several contacts may concern only some of them. */
function outcomes({ status, response }: DeliveryResult, payloads: readonly Payload[]): ItemOutcome[] | undefined {
  if (status !== PARTLY_DONE) return undefined;
  const errors = kit.valueAt(response, 'errors');
  const refused = new Map(
    (Array.isArray(errors) ? errors : []).flatMap((error) => {
      const ids = kit.valueAt(error, 'context.objectWriteTraceId');
      return [ids].flat().map((id) => [String(id), error] as const);
    }),
  );
  return payloads.map((_, index) => {
    const error = refused.get(String(index));
    return error === undefined ? { status: 200 } : { status: 400, response: error };
  });
}
