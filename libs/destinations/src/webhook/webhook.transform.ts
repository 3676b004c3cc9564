import { AppError, isBelow, isJsonObject, type JsonObject } from '@weir/contracts';
import { flatten } from '../flatten.js';
import type { Payload } from '../kind.js';
import { objectOf } from '../object-of.js';
import { restPayload } from '../payload.js';
import { urlOf } from '../send-payload.js';

/** Keys of an event that control the request and are not part of its body (wire-facts 3.5). */
const STEERING_KEYS = ['fullPath', 'appendPath', 'header'];
/** Headers per event. Servers accept about a hundred. */
const HEADERS_MAX = 200;
const METHODS_WITH_BODY = ['POST', 'PUT', 'PATCH'];

/**
 * Sends the event as one request: unchanged in the body, or for GET and DELETE its properties in the query (wire-facts 3.5). An
 * event may name another address (`fullPath`, `appendPath`), and write keys of web sources are public. So the stored headers,
 * which hold secrets, go only to the configured address and those below it.
 */
export function webhookTransform(event: JsonObject, config: JsonObject): Payload[] {
  const webhookUrl = text(config['webhookUrl']);
  if (!webhookUrl) throw new AppError('invalid', 'Invalid URL in destination config');
  const method = text(config['webhookMethod']) || 'POST';
  const hasBody = METHODS_WITH_BODY.includes(method);
  const endpoint = endpointOf(event, webhookUrl);
  const params = hasBody ? {} : flatten(propertiesOf(event));
  const headers = {
    ...(hasBody && { 'content-type': 'application/json' }),
    ...(leadsBelow({ endpoint, params }, webhookUrl) && configuredHeaders(config)),
    ...headersOf(event),
  };
  const anonymousId = event['anonymousId'];
  return [
    restPayload({
      ...{ method, endpoint, headers, params },
      ...(hasBody && { body: { JSON: bodyOf(event) } }),
      userId: anonymousId === undefined || anonymousId === null ? undefined : String(anonymousId),
    }),
  ];
}

/** Checks the final address, because parameters of an event may repeat those of the configured address. */
const leadsBelow = (target: Pick<Payload, 'endpoint' | 'params'>, webhookUrl: string): boolean =>
  URL.canParse(target.endpoint) && isBelow(urlOf(target), webhookUrl);

/** The stored headers `[{from, to}]` by lower-case name. Later ones win, and headers without a name are dropped. */
export function configuredHeaders(config: JsonObject): Record<string, string> {
  const headers = Array.isArray(config['headers']) ? config['headers'].filter(isJsonObject) : [];
  return objectOf(
    headers
      .map(({ from, to }) => [text(from)?.trim().toLowerCase() ?? '', to] as const)
      .filter(([name, value]) => name !== '' && value !== undefined && value !== null)
      .map(([name, value]) => [name, asText(value)]),
  );
}

function headersOf(event: JsonObject): Record<string, string> {
  const header = event['header'];
  if (!isJsonObject(header)) return {};
  const given = Object.entries(header).filter(([, value]) => value !== undefined && value !== null);
  if (given.length > HEADERS_MAX) throw new AppError('invalid', `header has more than ${HEADERS_MAX} fields`);
  return objectOf(given.map(([name, value]) => [name.toLowerCase(), asText(value)]));
}

/** The event's own address wins over that in `integrations.webhook`, which wins over the configured one. */
function endpointOf(event: JsonObject, webhookUrl: string): string {
  const integration = webhookIntegration(event);
  const base = text(event['fullPath']) ?? text(integration['fullPath']) ?? webhookUrl;
  return base + (text(event['appendPath']) ?? text(integration['appendPath']) ?? '');
}

function webhookIntegration(event: JsonObject): JsonObject {
  const integrations = isJsonObject(event['integrations']) ? event['integrations'] : {};
  const [, found] = Object.entries(integrations).find(([name]) => name.toLowerCase() === 'webhook') ?? [];
  return isJsonObject(found) ? found : {};
}

function bodyOf(event: JsonObject): JsonObject {
  const kept = Object.entries(event).filter(
    ([key, value]) => !STEERING_KEYS.includes(key) && value !== null && value !== undefined,
  );
  const body: JsonObject = objectOf(kept);
  const context = isJsonObject(event['context']) ? event['context'] : {};
  const ip = context['ip'] ?? event['request_ip'];
  return ip ? { ...body, context: { ...context, ip } } : body;
}

function propertiesOf(event: JsonObject): JsonObject {
  const context = isJsonObject(event['context']) ? event['context'] : {};
  const found = event['type'] === 'identify' ? (event['traits'] ?? context['traits']) : event['properties'];
  return isJsonObject(found) ? found : {};
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
