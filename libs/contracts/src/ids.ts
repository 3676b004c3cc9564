import { z } from 'zod';

/** KSUID: 27 base62 characters that sort by creation time (ruling 3). Safe as a token of a NATS subject. */
export const Ksuid = z.string().regex(/^[0-9A-Za-z]{27}$/);
export const Uuid = z.uuid();
/** ISO 8601, UTC, with milliseconds (ruling 3). PostgreSQL has no year 0. */
export const Timestamp = z.iso.datetime({ precision: 3 }).refine((text) => !text.startsWith('0000'), 'has no year');

export type JsonObject = Record<string, unknown>;
/** A JSON object, checked at the top level only. Events are deep, and their content belongs to the customer. */
export const JsonObject = z.custom<JsonObject>(isJsonObject, 'must be an object');

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
