import type { DestinationDefinition } from '@weir/contracts';
import { cloudConfig } from '../cloud-config.js';

const TOPIC = { type: 'string', pattern: '^[\\w.-]{0,249}$' };
const topicMap = (from: object, description: string) => ({
  type: 'array',
  maxItems: 500,
  description,
  items: { type: 'object', properties: { from, to: TOPIC } },
});

export const kafkaDefinition: DestinationDefinition = {
  name: 'KAFKA',
  displayName: 'Apache Kafka',
  config: cloudConfig({
    keys: [
      ...['hostName', 'port', 'topic', 'sslEnabled', 'caCertificate', 'useSASL', 'saslType', 'username', 'password'],
      ...['enableMultiTopic', 'eventTypeToTopicMap', 'eventToTopicMap'],
    ],
    secretKeys: ['password'],
    addressKeys: ['hostName', 'port'],
    messageTypes: ['identify', 'track', 'page', 'screen', 'group', 'alias'],
    transformAtV1: 'processor',
  }),
  configSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    required: ['hostName', 'topic'],
    properties: {
      hostName: { type: 'string', minLength: 1, maxLength: 2_048, description: 'First brokers, by comma' },
      port: { type: ['string', 'integer'], default: '9092', description: 'For brokers that name no port' },
      topic: { ...TOPIC, minLength: 1, description: 'For events without a topic of their own' },
      sslEnabled: { type: 'boolean', default: false, description: 'TLS' },
      skipVerify: { type: 'boolean', default: false, description: 'Accept any certificate' },
      caCertificate: {
        type: 'string',
        maxLength: 65_536,
        description: 'Trust this authority (PEM) instead of the public ones',
      },
      useSASL: { type: 'boolean', default: false },
      saslType: { enum: ['plain', 'sha256', 'sha512', ''], default: 'plain', description: 'SCRAM for `sha…`' },
      username: { type: 'string', maxLength: 1_024 },
      password: { type: 'string', maxLength: 4_096 },
      enableMultiTopic: { type: 'boolean', default: false },
      eventTypeToTopicMap: topicMap(
        { enum: ['identify', 'page', 'screen', 'group', 'alias'] },
        'Topics by the type of the event',
      ),
      eventToTopicMap: topicMap({ type: 'string', maxLength: 1_024 }, 'Topics by the name of a track event'),
    },
  },
};
