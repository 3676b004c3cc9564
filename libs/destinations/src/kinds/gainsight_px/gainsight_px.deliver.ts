import { callsFor, isTaken, sendPayload } from '../../delivery/send-payload.js';
import type { DestinationKind } from '../../kind.js';
import * as kit from '../../toolkit/index.js';

export const API = 'https://api.aptrinsic.com/v1';
const NOT_FOUND = 404;

/**
 * Updates a person or an account, or creates it where Gainsight has none. The parameters of the payload are what only new ones
 * have, and are not sent. An account also names its member there, because Gainsight refuses an unknown member, and its account
 * would stay behind.
 */
export const gainsightDeliver: NonNullable<DestinationKind['deliver']> = async (payload, _, outbound, options) => {
  const { endpoint, method, body } = payload;
  const { member, ...params } = payload.params;
  if (kit.isEmpty(params)) return sendPayload(payload, outbound, options);
  const path = endpoint.replace(`${API}/`, '');
  const call = callsFor(payload, API, outbound, options);
  if (member !== undefined) {
    const person = await call('GET', `users/${kit.pathSegment(String(member))}`);
    if (!isTaken(person)) return person;
  }
  const found = await call('GET', path);
  if (found.status === NOT_FOUND) return call('POST', path.replace(/\/.*/, ''), { ...params, ...body.JSON });
  return isTaken(found) ? call(method, path, body.JSON) : found;
};
