import { isJsonObject, type JsonObject } from '@weir/contracts';
import type { Payload } from '../kind.js';
import { requiredText } from '../session/settings.js';
import { streamPayload, userOf } from '../session/stream-payload.js';

/** Passes the event on unchanged, with its user as the key. A partition keeps the order of messages with one key. */
export function kafkaTransform(event: JsonObject, config: JsonObject): Payload[] {
  const userId = userOf(event);
  const endpoint = topicOf(event, config);
  return [streamPayload({ type: 'KAFKA', method: 'PRODUCE', endpoint, json: event, userId })];
}

function topicOf(event: JsonObject, config: JsonObject): string {
  const topic = requiredText(config, 'topic');
  if (config['enableMultiTopic'] !== true) return topic;
  const isTrack = event['type'] === 'track';
  const [map, name] = isTrack
    ? [config['eventToTopicMap'], event['event']]
    : [config['eventTypeToTopicMap'], event['type']];
  const entries = Array.isArray(map) ? map.filter(isJsonObject) : [];
  const own = entries.find(({ from }) => from === name)?.['to'];
  return typeof own === 'string' && own.trim() !== '' ? own.trim() : topic;
}
