import type { DeliveryResult } from '../kind.js';
import { lookedUp, textAt, valueAt } from '../toolkit/paths.js';

/**
 * Time helps (1, 2), fewer calls or another token (102, 190), whatever else Facebook says.
 * https://developers.facebook.com/docs/graph-api/guides/error-handling
 */
const CERTAIN: Readonly<Record<string, number>> = {
  ...{ 1: 500, 2: 500 },
  ...{ 4: 429, 17: 429, 32: 429, 341: 429, 368: 429, 613: 429 },
  ...{ 102: 401, 190: 401 },
};
/** Unless Facebook calls it transient, more rights help (3, 10, 200 to 299) or another event (100, 506). Same page. */
const REFUSED: Readonly<Record<string, number>> = { 3: 403, 10: 403, 100: 400, 506: 400 };
const RIGHT_IS_MISSING = /^2\d\d$/;
/** Each product of Facebook has a limit of its own. https://developers.facebook.com/docs/graph-api/overview/rate-limiting */
const LIMIT_OF_PRODUCT = /^800(0\d|1[0-4])$/;

/**
 * The result with the status that Facebook's answer means. The code says more than the status of HTTP, which is 400 or 500 for most
 * failures. A code that Facebook does not document may pass, such as that of a data set which is not ready.
 */
export function withFacebookStatus(result: DeliveryResult): DeliveryResult {
  const { code, isTransient } = errorOf(result);
  if (code === undefined) return isTransient ? { ...result, status: 500 } : result;
  return { ...result, status: certain(code) ?? (isTransient ? undefined : refused(code)) ?? 500 };
}

/** Whether Facebook documents no meaning of the code and does not call it transient. It may then be about one event. */
export function isOfUnknownCode(result: DeliveryResult): boolean {
  const { code, isTransient } = errorOf(result);
  return code !== undefined && !isTransient && (certain(code) ?? refused(code)) === undefined;
}

const errorOf = ({ response }: DeliveryResult) => ({
  code: textAt(response, 'error.code'),
  isTransient: valueAt(response, 'error.is_transient') === true,
});
const certain = (code: string) => (LIMIT_OF_PRODUCT.test(code) ? 429 : lookedUp(CERTAIN, code));
const refused = (code: string) => (RIGHT_IS_MISSING.test(code) ? 403 : lookedUp(REFUSED, code));
