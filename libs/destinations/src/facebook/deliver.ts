import { sendPayload } from '../delivery/send-payload.js';
import type { BatchRule, DestinationKind, Payload } from '../kind.js';
import * as kit from '../toolkit/index.js';
import { isOfUnknownCode, withFacebookStatus } from './status.js';

const eventsOf = ({ body }: Payload): unknown[] => kit.onlyArray(body.FORM['data']) ?? [];

function withData(payload: Payload, data: unknown): Payload {
  return { ...payload, body: { ...payload.body, FORM: { ...payload.body.FORM, data } } };
}

/** A thousand events per request: https://developers.facebook.com/docs/marketing-api/conversions-api/using-the-api */
export const conversionsBatch: BatchRule = {
  itemsMax: 1_000,
  bytesMax: 1_000_000,
  keyOf: ({ endpoint, body }) => JSON.stringify([endpoint, body.FORM['test_event_code'] ?? null]),
  combine: (payloads) => withData(payloads[0] as Payload, payloads.flatMap(eventsOf)),
  isOfSome: isOfUnknownCode,
};

/** Facebook expects the field `data` as one JSON array. The payload lists its items, each as JSON text. */
export const conversionsDeliver: NonNullable<DestinationKind['deliver']> = async (
  payload,
  _config,
  outbound,
  options,
) => {
  const result = await sendPayload(withData(payload, `[${eventsOf(payload).join(',')}]`), outbound, options);
  return withFacebookStatus(result);
};
