import { isJsonObject, type JsonObject } from '@weir/contracts';
import { defineKind } from '../../define-kind.js';
import { CA_CERTIFICATE, SKIP_VERIFY, streamPayload, userOf } from '../../session/stream.js';
import * as kit from '../../toolkit/index.js';
import { KafkaSession, kafkaSettings } from './kafka.session.js';

const TOPIC = { type: 'string', pattern: '^[\\w.-]{0,249}$' } as const;

const topicMap = (from: object, description: string) =>
  kit.field({
    type: 'array',
    maxItems: 500,
    description,
    items: { type: 'object', properties: { from, to: TOPIC } },
  });

export default defineKind({
  name: 'KAFKA',
  displayName: 'Apache Kafka',
  messageTypes: ['identify', 'track', 'page', 'screen', 'group', 'alias'],
  config: {
    hostName: kit.required(
      kit.asAddress(
        kit.field({ type: 'string', minLength: 1, maxLength: 2_048, description: 'First brokers, by comma' }),
      ),
    ),
    port: kit.asAddress(
      kit.field({ type: ['string', 'integer'], default: '9092', description: 'For brokers that name no port' }),
    ),
    topic: kit.required(kit.field({ ...TOPIC, minLength: 1, description: 'For events without their own topic' })),
    sslEnabled: kit.field({ type: 'boolean', default: false, description: 'TLS' }),
    caCertificate: CA_CERTIFICATE,
    useSASL: kit.field({ type: 'boolean', default: false }),
    saslType: kit.field({
      enum: ['plain', 'sha256', 'sha512', ''],
      default: 'plain',
      description: 'SCRAM for `sha…`',
    }),
    username: kit.field({ type: 'string', maxLength: 1_024 }),
    password: kit.asSecret(kit.field({ type: 'string', maxLength: 4_096 })),
    enableMultiTopic: kit.field({ type: 'boolean', default: false }),
    eventTypeToTopicMap: topicMap(
      { enum: ['identify', 'page', 'screen', 'group', 'alias'] },
      'Topics by the type of the event',
    ),
    eventToTopicMap: topicMap({ type: 'string', maxLength: 1_024 }, 'Topics by the name of a track event'),
    skipVerify: kit.extra(SKIP_VERIFY),
  },
  example: { hostName: 'kafka.example.com', port: '9092', topic: 'events', useSASL: true, username: 'ada' },
  /** Passes the event on unchanged, with its user as the key. A partition keeps the order of messages with one key. */
  transform(event, config) {
    const userId = userOf(event);
    const endpoint = topicOf(event, config);
    return [streamPayload({ type: 'KAFKA', method: 'PRODUCE', endpoint, json: event, userId })];
  },
  takesEventsWhole: true,
  open: (config, outbound) => new KafkaSession(kafkaSettings(config), outbound),
  // Half of the default limit of brokers.
  batching: { payloadsMax: 500, bytesMax: 524_288, waitMs: 20 },
});

function topicOf(event: JsonObject, config: JsonObject): string {
  const topic = kit.requiredText(config, 'topic');
  if (config['enableMultiTopic'] !== true) return topic;
  const isTrack = event['type'] === 'track';
  const [map, name] = isTrack
    ? [config['eventToTopicMap'], event['event']]
    : [config['eventTypeToTopicMap'], event['type']];
  const entries = Array.isArray(map) ? map.filter(isJsonObject) : [];
  const own = entries.find(({ from }) => from === name)?.['to'];
  return typeof own === 'string' && own.trim() !== '' ? own.trim() : topic;
}
