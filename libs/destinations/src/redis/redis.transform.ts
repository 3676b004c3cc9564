import { AppError, isJsonObject, type JsonObject } from '@weir/contracts';
import type { Payload } from '../kind.js';
import { objectOf } from '../object-of.js';
import { streamPayload } from '../session/stream-payload.js';
import { traitsOf } from '../toolkit/event.js';
import { redisKey, redisSettings } from './redis.settings.js';

/** Converts the traits of a user to fields of one hash. Only `identify` events have them, others are filtered out. */
export function redisTransform(event: JsonObject, config: JsonObject): Payload[] {
  if (event['type'] !== 'identify') return [];
  const { userId } = event;
  const isId = (typeof userId === 'string' && userId.trim() !== '') || typeof userId === 'number';
  if (!isId) throw new AppError('invalid', 'userId is required: users are kept by it');
  const json = fieldsOf(traitsOf(event));
  if (Object.keys(json).length === 0) return [];
  const id = String(userId).trim();
  const endpoint = redisKey({ userId: id }, redisSettings(config).prefix);
  return [streamPayload({ type: 'REDIS', method: 'HSET', endpoint, json, userId: id })];
}

/** A field holds a text, so lists and objects become JSON. Null is omitted. */
function fieldsOf(traits: JsonObject): JsonObject {
  const given = Object.entries(traits).filter(([, value]) => value !== null && value !== undefined);
  return objectOf(given.map(([key, value]) => [key, fieldOf(value)]));
}

const fieldOf = (value: unknown): string =>
  isJsonObject(value) || Array.isArray(value) ? JSON.stringify(value) : String(value);
