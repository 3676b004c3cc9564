import type { DeliveryResult } from '../kind.js';
import { lookedUp, textAt } from '../toolkit/paths.js';

/**
 * Facebook answers 400 to most refusals. The code says what may help: time (1, 2), fewer calls (4, 17, 341) or another token
 * (102, 190). https://developers.facebook.com/docs/graph-api/guides/error-handling
 */
const STATUS_BY_CODE: Readonly<Record<string, number>> = {
  ...{ 1: 500, 2: 500 },
  ...{ 4: 429, 17: 429, 341: 429 },
  ...{ 102: 401, 190: 401 },
};

/** The result with the status that the code of Facebook's answer means. */
export function withFacebookStatus(result: DeliveryResult): DeliveryResult {
  const code = textAt(result.response, 'error.code') ?? '';
  return { ...result, status: lookedUp(STATUS_BY_CODE, code) ?? result.status };
}
