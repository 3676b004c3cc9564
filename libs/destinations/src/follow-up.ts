import type { JsonObject } from '@weir/contracts';
import type { DeliveryOptions, DeliveryResult, Outbound, Payload } from './kind.js';
import { sendPayload } from './send-payload.js';

/** A call of a vendor's API. The path is relative to the base address. Rejects when the vendor was not reached. */
export type Call = (method: string, path: string, body?: JsonObject) => Promise<DeliveryResult>;

/** For payloads that need several calls, because only the vendor knows an id. Every call has the headers of the payload. */
export const callsFor =
  (payload: Payload, base: string, outbound: Outbound, options: DeliveryOptions): Call =>
  (method, path, body = {}) =>
    sendPayload(
      { ...payload, method, endpoint: `${base}/${path}`, params: {}, body: { ...payload.body, JSON: body } },
      outbound,
      options,
    );

export const isTaken = ({ status }: DeliveryResult): boolean => status >= 200 && status < 300;
