import type { DeliveryResult } from '../kind.js';
import { lookedUp, textAt, valueAt } from '../toolkit/paths.js';

/**
 * Facebook answers 400 to most refusals. The code says what may help: time (1, 2), fewer calls (4, 17, 32, 341, 368, 613) or
 * another token (102, 190). https://developers.facebook.com/docs/graph-api/guides/error-handling
 */
const STATUS_BY_CODE: Readonly<Record<string, number>> = {
  ...{ 1: 500, 2: 500 },
  ...{ 4: 429, 17: 429, 32: 429, 341: 429, 368: 429, 613: 429 },
  ...{ 102: 401, 190: 401 },
};

/** Each product of Facebook has a limit of its own. https://developers.facebook.com/docs/graph-api/overview/rate-limiting */
const LIMIT_OF_PRODUCT = /^800(0\d|1[0-4])$/;

/** The result with the status that Facebook's answer means: that of its code, or 500 if Facebook calls the error transient. */
export function withFacebookStatus(result: DeliveryResult): DeliveryResult {
  const code = textAt(result.response, 'error.code') ?? '';
  const known = LIMIT_OF_PRODUCT.test(code) ? 429 : lookedUp(STATUS_BY_CODE, code);
  const isTransient = valueAt(result.response, 'error.is_transient') === true;
  return { ...result, status: known ?? (isTransient ? 500 : result.status) };
}
