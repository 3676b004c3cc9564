import type { DeliveryResult, OutboundResponse } from './kind.js';

/** Shown for a failed response without a body (wire-facts 3.3). */
const EMPTY_FAILURE = 'Error occurred while processing payload.';

/** Deeper JSON stays text, because recursive code would overflow the stack. */
const DEPTH_MAX = 100;

/** Converts an HTTP response to a result. Reads only JSON, XML and text. A truncated body stays text. */
export function readResponse(response: OutboundResponse): DeliveryResult {
  const retryAfterMs = parseRetryAfter(response.headers['retry-after'], Date.now());
  return {
    status: response.status,
    response: readBody(response),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

function readBody(response: OutboundResponse): unknown {
  if (response.body.length === 0) return response.status >= 400 ? EMPTY_FAILURE : '';
  const type = response.headers['content-type']?.toLowerCase() ?? '';
  if (!/json|xml|text/.test(type)) return '';
  const text = response.body.toString('utf8');
  return type.includes('json') && !response.truncated ? parsedOrText(text) : text;
}

function parsedOrText(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isWithin(value, DEPTH_MAX) ? value : text;
  } catch {
    return text;
  }
}

const isWithin = (value: unknown, depth: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (depth > 0 && Object.values(value).every((inner) => isWithin(inner, depth - 1)));

/** `Retry-After` is seconds or a date (RFC 9110 10.2.3). Anything else is ignored. */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value.trim())) return Number(value) * 1_000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}
