import { z } from 'zod';

/** KSUID: 27 base62 characters, sorted by time of creation (ruling 3). Safe as a token of a NATS subject. */
export const Ksuid = z.string().regex(/^[0-9A-Za-z]{27}$/);
export const Uuid = z.uuid();
/** ISO 8601, UTC, milliseconds (ruling 3). The database knows no year 0. */
export const Timestamp = z.iso.datetime({ precision: 3 }).refine((text) => !text.startsWith('0000'), 'has no year');

export type JsonObject = Record<string, unknown>;
/** A JSON object, checked at the surface only: events are deep, and what is inside belongs to the customer. */
export const JsonObject = z.custom<JsonObject>(isJsonObject, 'must be an object');

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
