import type { DestinationDefinition } from '@weir/contracts';

/** A destination kind with secrets at two depths, in the test runner's form. */
export const webhookDefinition: DestinationDefinition = {
  name: 'WEBHOOK',
  displayName: 'Webhook',
  config: {
    destConfig: { defaultConfig: ['webhookUrl', 'headers', 'apiKey'] },
    secretKeys: ['headers.to', 'apiKey'],
    addressKeys: ['webhookUrl'],
    supportedSourceTypes: ['web', 'cloud'],
    supportedConnectionModes: { web: ['cloud'] },
    supportedMessageTypes: { cloud: ['track'] },
  },
  configSchema: {
    type: 'object',
    required: ['webhookUrl'],
    properties: {
      webhookUrl: { type: 'string', pattern: '^https?://' },
      apiKey: { type: 'string' },
      headers: {
        type: 'array',
        items: {
          type: 'object',
          required: ['from', 'to'],
          properties: { from: { type: 'string' }, to: { type: 'string' } },
        },
      },
    },
  },
};
