import type { DestinationDefinition } from '@weir/contracts';
import { PATTERNS_KEYWORD } from '@weir/patterns';
import { cloudConfig } from '../cloud-config.js';
import { eventPatterns, SENDER } from '../toolkit/index.js';

const listOf = (properties: object) => ({ type: 'array', maxItems: 1_000, items: { type: 'object', properties } });
const TEXT = { type: 'string', maxLength: 8_192 };

/** Channels and templates per event, for track events. */
export const SLACK_PATTERNS = eventPatterns('eventChannelSettings', 'eventTemplateSettings');

export const slackDefinition: DestinationDefinition = {
  name: 'SLACK',
  displayName: 'Slack',
  config: cloudConfig({
    keys: [
      'eventChannelSettings',
      'incomingWebhooksType',
      'identifyTemplate',
      'eventTemplateSettings',
      'webhookUrl',
      'whitelistedTraitsSettings',
      'denyListOfEvents',
      'username',
      'iconUrl',
    ],
    // Anyone with the address of an incoming webhook can post to it.
    secretKeys: ['webhookUrl', 'eventChannelSettings.eventChannelWebhook'],
    messageTypes: ['identify', 'track'],
    transformAtV1: 'processor',
  }),
  configSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    [PATTERNS_KEYWORD]: SLACK_PATTERNS,
    properties: {
      webhookUrl: { type: 'string', maxLength: 2_048, description: 'Incoming webhook for all messages' },
      incomingWebhooksType: { enum: ['legacy', 'modern'], description: 'legacy: one webhook for every channel' },
      identifyTemplate: { ...TEXT, description: 'Text with {{name}}, {{traits}}, {{newline}} and {{any.path}}' },
      eventChannelSettings: {
        ...listOf({ eventName: TEXT, eventRegex: { type: 'boolean' }, eventChannel: TEXT, eventChannelWebhook: TEXT }),
        description: 'Channel by event',
      },
      eventTemplateSettings: {
        ...listOf({ eventName: TEXT, eventRegex: { type: 'boolean' }, eventTemplate: TEXT }),
        description: 'Template by event',
      },
      whitelistedTraitsSettings: {
        ...listOf({ trait: TEXT }),
        description: 'Traits that messages may show; all when empty',
      },
      username: {
        type: 'string',
        maxLength: 80,
        default: SENDER.name,
        description:
          'Sender that messages name, none when empty; webhooks of a Slack app always have the name of the app',
      },
      iconUrl: {
        type: 'string',
        maxLength: 2_048,
        default: SENDER.iconUrl,
        description: 'Icon of the sender; as username',
      },
      denyListOfEvents: { ...listOf({ eventName: TEXT }), description: 'Events that are not sent' },
    },
  },
};
