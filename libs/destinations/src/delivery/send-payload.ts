import { AppError, DELIVERY_TIMEOUT_MS, isJsonObject, type JsonObject, RESPONSE_BYTES_MAX } from '@weir/contracts';
import type { DeliveryOptions, DeliveryResult, Outbound, OutboundRequest, OutboundResponse, Payload } from '../kind.js';
import { objectOf } from '../toolkit/objects.js';

const IDEMPOTENCY_HEADER = 'idempotency-key';

/** The result of what could not be sent before its deadline. */
export const TOO_LATE: DeliveryResult = { status: 504, response: 'The destination did not answer in time' };

interface SendOptions extends DeliveryOptions, Pick<OutboundRequest, 'urlLengthMax' | 'forwardedFor'> {}

/** Sends a payload as the HTTP request that it describes. Does not follow redirects, so a redirect is the result. */
export async function sendPayload(
  payload: Payload,
  outbound: Outbound,
  { idempotencyKey, deadline = Number.POSITIVE_INFINITY, urlLengthMax, forwardedFor }: SendOptions = {},
): Promise<DeliveryResult> {
  const leftMs = Math.ceil(deadline - performance.now());
  if (leftMs <= 0) return TOO_LATE;
  const body = encodeBody(payload.body);
  const response = await outbound.request({
    method: payload.method,
    url: urlOf(payload),
    ...(urlLengthMax !== undefined && { urlLengthMax }),
    headers: {
      ...(body && { 'content-type': body.contentType }),
      ...withoutHost(payload),
      ...(idempotencyKey !== undefined && { [IDEMPOTENCY_HEADER]: idempotencyKey }),
    },
    ...(forwardedFor !== undefined && { forwardedFor }),
    ...(body && { body: body.text }),
    timeoutMs: Math.min(DELIVERY_TIMEOUT_MS, leftMs),
    maxResponseBytes: RESPONSE_BYTES_MAX,
  });
  return readResponse(response);
}

/** Drops a `Host` header that equals the host of the address, because the client sets it. */
function withoutHost({ endpoint, headers }: Payload): Record<string, string> {
  const host = URL.parse(endpoint)?.host;
  return objectOf(Object.entries(headers).filter(([name, value]) => name.toLowerCase() !== 'host' || value !== host));
}

/** The address with its parameters. Throws `AppError('invalid')` for an invalid one. */
export function urlOf({ endpoint, params }: Pick<Payload, 'endpoint' | 'params'>): string {
  if (!URL.canParse(endpoint)) throw new AppError('invalid', 'The destination has no valid URL');
  const url = new URL(endpoint);
  for (const [name, value] of Object.entries(params)) {
    if (value !== null && value !== undefined) url.searchParams.append(name, asText(value));
  }
  return url.href;
}

interface EncodedBody {
  contentType: string;
  text: string;
}

/** Encodes the filled section. JSON_ARRAY and XML hold their text in `batch` and `payload`. */
function encodeBody({ JSON: json, JSON_ARRAY: array, XML: xml, FORM: form }: Payload['body']): EncodedBody | undefined {
  if (isFilled(json)) return { contentType: 'application/json', text: JSON.stringify(json) };
  if (isFilled(array)) return { contentType: 'application/json', text: asText(array['batch']) };
  if (isFilled(xml)) return { contentType: 'application/xml', text: asText(xml['payload']) };
  if (!isFilled(form)) return undefined;
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries(form)) {
    // A list becomes a repeated field, as in forms.
    for (const item of [value].flat()) {
      if (item !== null && item !== undefined) fields.append(name, asText(item));
    }
  }
  return { contentType: 'application/x-www-form-urlencoded', text: fields.toString() };
}

const isFilled = (section: JsonObject) => Object.keys(section).length > 0;

function asText(value: unknown): string {
  return isJsonObject(value) || Array.isArray(value) ? JSON.stringify(value) : String(value ?? '');
}

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
