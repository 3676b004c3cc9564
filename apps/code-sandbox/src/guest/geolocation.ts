import { isAddress } from './non-public.js';
import { PlainError } from './primordials.js';

/**
 * Weir has no service that knows where an address is. The function is there so that code written for one loads, and its
 * `try` meets a rejection like that of `fetchV2`.
 */
export async function geolocation(ip?: unknown): Promise<never> {
  const { message, stack } = new PlainError(refusalOf(ip)) as { message: unknown; stack: unknown };
  throw { message, stack };
}

function refusalOf(ip: unknown): string {
  if (ip === undefined || ip === null || ip === '') return 'ip address is required';
  return isAddress(ip) ? 'geolocation is not available right now' : 'invalid ip address';
}
