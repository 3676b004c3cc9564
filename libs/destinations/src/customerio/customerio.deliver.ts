import type { BatchRule, DestinationKind, Payload } from '../kind.js';
import { sendPayload } from '../send-payload.js';
import * as kit from '../toolkit/index.js';

/** 500 KB per request. Only `/v2/batch`, which takes objects, accepts several. */
const objects = kit.batchBodies('batch', { itemsMax: 500, bytesMax: 480_000 });
export const customerioBatch: BatchRule = {
  ...objects,
  keyOf: (payload) => (isObjectCall(payload) ? objects.keyOf(payload) : undefined),
};
const isObjectCall = ({ endpoint, body }: Payload) => endpoint.endsWith('/v2/batch') && !('batch' in body.JSON);

/** An object sent alone is a batch of one. */
export const customerioDeliver: NonNullable<DestinationKind['deliver']> = (payload, _config, outbound, options) =>
  sendPayload(isObjectCall(payload) ? objects.combine([payload]) : payload, outbound, options);
