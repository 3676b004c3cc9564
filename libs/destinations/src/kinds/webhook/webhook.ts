import { AppError, isBelow, isJsonObject, type JsonObject } from '@weir/contracts';
import { defineKind } from '../../define-kind.js';
import { urlOf } from '../../delivery/send-payload.js';
import type { Payload } from '../../kind.js';
import * as kit from '../../toolkit/index.js';
import { webhookDelete } from './webhook.deletion.js';
import { asText, configuredHeaders } from './webhook.headers.js';

const WEBHOOK_METHODS = ['POST', 'PUT', 'PATCH', 'GET', 'DELETE'];

const URL_SCHEMA = { type: 'string', pattern: '^https?://.', maxLength: 2_048 } as const;

/** The outbound client allows 50 (security-reliability 3.2 point 7). The rest is for content type and idempotency key. */
const CONFIGURED_HEADERS_MAX = 45;

/** Each request is compared with all of them. */
const TRUSTED_URLS_MAX = 50;

/** Keys of an event that control the request and are not part of its body (wire-facts 3.5). */
const STEERING_KEYS = ['fullPath', 'appendPath', 'header'];
/** Headers per event. Servers accept about a hundred. */
const HEADERS_MAX = 200;
const METHODS_WITH_BODY = ['POST', 'PUT', 'PATCH'];

/** The event as it was, without what steers the request. Webhooks without a body have its properties in the query. */
const EVENT = { type: 'object', not: { anyOf: STEERING_KEYS.map((key) => ({ required: [key] })) } };
const PARAMETERS = { type: 'object' };

export default defineKind({
  name: 'WEBHOOK',
  displayName: 'Webhook',
  messageTypes: ['identify', 'track', 'page', 'screen', 'group', 'alias'],
  config: {
    webhookUrl: kit.required(kit.asAddress(kit.field({ ...URL_SCHEMA, description: 'Where events are sent' }))),
    webhookMethod: kit.choice(WEBHOOK_METHODS, 'Default: POST'),
    headers: kit.secretItems(
      ['to'],
      kit.listOf(['from', 'to'], 'Headers of every request: name in `from`, value in `to`', CONFIGURED_HEADERS_MAX),
    ),
    trustedUrls: kit.extra(
      kit.asAddress(
        kit.field({
          type: ['array', 'null'],
          maxItems: TRUSTED_URLS_MAX,
          description: 'Further addresses that events may name and that get the configured headers: a list of `url`',
          items: { type: 'object', required: ['url'], properties: { url: URL_SCHEMA } },
        }),
      ),
    ),
    signingKey: kit.extra(
      kit.asSecret(
        kit.field({
          type: 'string',
          maxLength: 1_024,
          description: 'Signs requests to delete users: whsec_ with a secret in Base64, or whsk_ with an Ed25519 seed',
        }),
      ),
    ),
    deletionUrl: kit.extra(
      kit.asAddress(
        kit.field({ ...URL_SCHEMA, description: 'Where requests to delete users are sent. May contain {userId}' }),
      ),
    ),
  },
  example: { webhookUrl: 'https://hooks.example.com/in', headers: [{ from: 'Authorization', to: '' }] },
  /**
   * Sends the event as one request: unchanged in the body, or for GET and DELETE its properties in the query (wire-facts 3.5). An
   * event may name another address (`fullPath`, `appendPath`), and write keys of web sources are public. So the stored headers,
   * which hold secrets, go only to the configured addresses and those below them.
   */
  transform(event, config) {
    const webhookUrl = kit.onlyText(config['webhookUrl']);
    if (!webhookUrl) throw new AppError('invalid', 'Invalid URL in destination config');
    const method = kit.onlyText(config['webhookMethod']) || 'POST';
    const hasBody = METHODS_WITH_BODY.includes(method);
    const endpoint = endpointOf(event, webhookUrl);
    const params = hasBody ? {} : kit.flatten(propertiesOf(event));
    const headers = {
      ...(hasBody && { 'content-type': 'application/json' }),
      ...(isTrusted({ endpoint, params }, config) && configuredHeaders(config)),
      ...headersOf(event),
    };
    return [
      kit.restPayload({
        ...{ method, endpoint, headers, params },
        ...(hasBody && { body: { JSON: bodyOf(event) } }),
        userId: kit.toText(event['anonymousId']),
      }),
    ];
  },
  requests: { 'POST *': EVENT, 'PUT *': EVENT, 'PATCH *': EVENT, 'GET *': PARAMETERS, 'DELETE *': PARAMETERS },
  takesEventsWhole: true,
  deletion: { requires: ['deletionUrl'], delete: webhookDelete },
});

/** Checks the final address, because parameters of an event may repeat those of the configured address. */
function isTrusted(target: Pick<Payload, 'endpoint' | 'params'>, config: JsonObject): boolean {
  if (!URL.canParse(target.endpoint)) return false;
  const address = urlOf(target);
  const trusted = [kit.configText(config, 'webhookUrl'), ...kit.configWords(config, 'trustedUrls', 'url')];
  return trusted.some((url) => isBelow(address, url));
}

function headersOf(event: JsonObject): Record<string, string> {
  const header = event['header'];
  if (!isJsonObject(header)) return {};
  const given = Object.entries(header);
  if (given.length > HEADERS_MAX) throw new AppError('invalid', `header has more than ${HEADERS_MAX} fields`);
  return kit.objectOf(given.map(([name, value]) => [name.toLowerCase(), asText(value)]));
}

/** The event's own address wins over that in `integrations.webhook`, which wins over the configured one. */
function endpointOf(event: JsonObject, webhookUrl: string): string {
  const integration = webhookIntegration(event);
  const [base = webhookUrl, more = ''] = ['fullPath', 'appendPath'].map(
    (key) => kit.toText(event[key]) ?? kit.toText(integration[key]),
  );
  return base + more;
}

const INTEGRATION_NAMES = ['webhook', 'Webhook', 'WebHook', 'WEBHOOK'];

/** The options of the first of these names that is switched on. */
const webhookIntegration = (event: JsonObject): JsonObject => {
  const integrations = kit.objectAt(event, 'integrations');
  const found = INTEGRATION_NAMES.map((name) => integrations[name]).find(Boolean);
  return isJsonObject(found) ? found : {};
};

function bodyOf(event: JsonObject): JsonObject {
  const kept = Object.entries(event).filter(
    ([key, value]) => !STEERING_KEYS.includes(key) && value !== null && value !== undefined,
  );
  const body: JsonObject = kit.objectOf(kept);
  const context = isJsonObject(event['context']) ? event['context'] : {};
  const ip = context['ip'] ?? event['request_ip'];
  return ip ? { ...body, context: { ...context, ip } } : body;
}

function propertiesOf(event: JsonObject): JsonObject {
  const context = isJsonObject(event['context']) ? event['context'] : {};
  const found = event['type'] === 'identify' ? event['traits'] || context['traits'] : event['properties'];
  return isJsonObject(found) ? found : {};
}
