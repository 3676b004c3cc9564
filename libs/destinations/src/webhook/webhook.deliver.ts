import type { JsonObject } from '@weir/contracts';
import type { DeliveryOptions, DeliveryResult, Outbound, Payload } from '../kind.js';
import { sendPayload } from '../send-payload.js';
import { configuredHeaders } from './webhook.transform.js';

/**
 * Sends the request. An event may name another address (`fullPath`, or an `appendPath` that changes the host), and write
 * keys of web sources are public: so the configured headers, which hold secrets, go to the configured origin only.
 */
export function webhookDeliver(
  payload: Payload,
  config: JsonObject,
  outbound: Outbound,
  options: DeliveryOptions,
): Promise<DeliveryResult> {
  const isConfiguredAddress = originOf(payload.endpoint) === originOf(config['webhookUrl']);
  const headers = isConfiguredAddress ? payload.headers : withoutConfigured(payload.headers, config);
  return sendPayload({ ...payload, headers }, outbound, options);
}

function withoutConfigured(headers: Payload['headers'], config: JsonObject): Payload['headers'] {
  const secrets = new Set(Object.values(configuredHeaders(config)));
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => !secrets.has(value)));
}

function originOf(url: unknown): string | undefined {
  return typeof url === 'string' && URL.canParse(url) ? new URL(url).origin : undefined;
}
