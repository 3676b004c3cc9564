import type { DestinationKind, Payload } from '../kind.js';
import { sendPayload } from '../send-payload.js';
import * as kit from '../toolkit/index.js';

/** Up to a thousand events in a list. A single event is a list too. https://developers.pinterest.com/docs/api/v5/events-create */
export const pinterestTagBatch = kit.batchBodies('data', { itemsMax: 1_000, bytesMax: 1_000_000 });

const isList = ({ body }: Payload) => Array.isArray(body.JSON['data']);

export const pinterestTagDeliver: NonNullable<DestinationKind['deliver']> = (payload, _config, outbound, options) =>
  sendPayload(isList(payload) ? payload : pinterestTagBatch.combine([payload]), outbound, options);
