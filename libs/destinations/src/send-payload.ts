import { AppError, DELIVERY_TIMEOUT_MS, isJsonObject, type JsonObject, RESPONSE_BYTES_MAX } from '@weir/contracts';
import { readResponse } from './http-response.js';
import type { DeliveryOptions, DeliveryResult, Outbound, Payload } from './kind.js';
import { objectOf } from './object-of.js';

const IDEMPOTENCY_HEADER = 'idempotency-key';

/** Sends a payload as the HTTP request that it describes. Does not follow redirects, so a redirect is the result. */
export async function sendPayload(
  payload: Payload,
  outbound: Outbound,
  { idempotencyKey }: DeliveryOptions = {},
): Promise<DeliveryResult> {
  const body = encodeBody(payload.body);
  const response = await outbound.request({
    method: payload.method,
    url: urlOf(payload),
    headers: {
      ...(body && { 'content-type': body.contentType }),
      ...withoutHost(payload),
      ...(idempotencyKey !== undefined && { [IDEMPOTENCY_HEADER]: idempotencyKey }),
    },
    ...(body && { body: body.text }),
    timeoutMs: DELIVERY_TIMEOUT_MS,
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
