import type { DestinationDefinition } from '@weir/contracts';
import { cloudConfig } from '../cloud-config.js';

export const WEBHOOK_METHODS = ['POST', 'PUT', 'PATCH', 'GET', 'DELETE'];
const URL_SCHEMA = { type: 'string', pattern: '^https?://.', maxLength: 2_048 };
/** The outbound client allows 50 (security-reliability 3.2 point 7). The rest is for content type and idempotency key. */
const HEADERS_MAX = 45;

export const webhookDefinition: DestinationDefinition = {
  name: 'WEBHOOK',
  displayName: 'Webhook',
  config: cloudConfig({
    keys: ['webhookUrl', 'webhookMethod', 'headers'],
    secretKeys: ['headers.to', 'signingKey'],
    addressKeys: ['webhookUrl', 'deletionUrl'],
    messageTypes: ['identify', 'track', 'page', 'screen', 'group', 'alias'],
    transformAtV1: 'processor',
  }),
  configSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    required: ['webhookUrl'],
    properties: {
      webhookUrl: { ...URL_SCHEMA, description: 'Where events are sent' },
      webhookMethod: { enum: WEBHOOK_METHODS, default: 'POST' },
      headers: {
        type: 'array',
        maxItems: HEADERS_MAX,
        description: 'Headers of every request: name in `from`, value in `to`',
        items: {
          type: 'object',
          required: ['from', 'to'],
          properties: { from: { type: 'string', maxLength: 256 }, to: { type: 'string', maxLength: 8_192 } },
        },
      },
      signingKey: {
        type: 'string',
        maxLength: 1_024,
        description: 'Signs requests to delete users: whsec_ with a secret in Base64, or whsk_ with an Ed25519 seed',
      },
      deletionUrl: { ...URL_SCHEMA, description: 'Where requests to delete users are sent; may contain {userId}' },
    },
  },
};
