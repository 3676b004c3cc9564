import { createHash } from 'node:crypto';
import { type JsonObject, storableText } from '@weir/contracts';
import { IDENTIFIER_CHARS_MAX } from './limits.js';
import { isLongerThan } from './schema.js';

/** Namespace of event model ids. Never change it, because ids are derived from it. */
const MODEL_NAMESPACE = '3f1f9c6e-0b0a-4d0c-9a53-5f0f4a1f7d52';

/** RFC 9562 version 5 (name-based), so that every process gives a model or version the same id. */
export function uuidV5(namespace: string, name: string): string {
  const hash = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(name)
    .digest();
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x50, 6);
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8);
  return hash.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

export const eventIdOf = (writeKey: string, eventType: string, eventIdentifier: string) =>
  uuidV5(MODEL_NAMESPACE, JSON.stringify([writeKey, eventType, eventIdentifier]));

/** @param shapeHash of {@link shapeOf} */
export const versionIdOf = (eventId: string, shapeHash: string) => uuidV5(eventId, shapeHash);

/** Identifies a model among those of one source. */
export interface ModelKey {
  eventType: string;
  eventIdentifier: string;
}

/** Why an event is not modelled. The values are metric labels. */
export type SkipReason = 'type' | 'name' | 'name_length' | 'paths' | 'models' | 'purged';

/** Track models are named by `event`, page and screen models by `name`. All others have an empty name (ruling 22). */
export function modelKeyOf(event: JsonObject): ModelKey | SkipReason {
  const type = event['type'];
  if (typeof type !== 'string' || type === '') return 'type';
  const name = nameOf(type, event);
  if (name === undefined) return 'name';
  if (isLongerThan(name, IDENTIFIER_CHARS_MAX) || isLongerThan(type, IDENTIFIER_CHARS_MAX)) return 'name_length';
  return { eventType: storableText(type), eventIdentifier: storableText(name) };
}

function nameOf(type: string, { event, name }: JsonObject): string | undefined {
  if (type === 'track') return typeof event === 'string' ? event : undefined;
  if (type !== 'page' && type !== 'screen') return '';
  return typeof name === 'string' ? name : '';
}
