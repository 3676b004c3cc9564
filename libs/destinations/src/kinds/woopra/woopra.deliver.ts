import { isIP } from 'node:net';
import { sendPayload, urlOf } from '../../delivery/send-payload.js';
import type { DestinationKind, Payload } from '../../kind.js';
import * as kit from '../../toolkit/index.js';

/** Woopra takes all of an event in the address, and documents no limit. Common servers refuse longer ones. In characters. */
export const WOOPRA_URL_LENGTH_MAX = kit.ADDRESS_LENGTH_MAX;

/** Adds the visitor's address, because Woopra would place all visitors where the request comes from. */
function placed(payload: Payload): Payload {
  const ip = payload.params['cv_ip'];
  return typeof ip === 'string' && isIP(ip) > 0 ? { ...payload, params: { ...payload.params, ip } } : payload;
}

/** The payload, unless it is longer than what can be sent. */
export function sendable(payload: Payload): Payload {
  if (urlOf(placed(payload)).length <= WOOPRA_URL_LENGTH_MAX) return payload;
  return kit.refuse(
    `The event needs an address of more than ${WOOPRA_URL_LENGTH_MAX} characters, which Woopra cannot be sent`,
  );
}

export const woopraDeliver: NonNullable<DestinationKind['deliver']> = (payload, _, outbound, options) =>
  sendPayload(placed(payload), outbound, { ...options, urlLengthMax: WOOPRA_URL_LENGTH_MAX });
