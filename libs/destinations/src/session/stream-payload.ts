import type { JsonObject } from '@weir/contracts';
import type { Payload } from '../kind.js';
import { restPayload } from '../payload.js';

export interface StreamPayload {
  /** Name of the kind, in place of `REST`. */
  type: string;
  /** What is done there: `PRODUCE`, `PUBLISH`, `INSERT`. */
  method: string;
  /** Where in the destination: topic, subject, key, table. */
  endpoint: string;
  json: JsonObject;
  headers?: Record<string, string>;
  /** What keeps its order together. */
  userId?: string | undefined;
}

/** An item for a kind that delivers through the data plane, in the shape that all payloads have. */
export const streamPayload = ({ type, json, ...more }: StreamPayload): Payload => ({
  ...restPayload({ ...more, body: { JSON: json } }),
  type,
});

/** Who an event is about: events with the same one stay in order. */
export function userOf({ userId, anonymousId }: JsonObject): string | undefined {
  const id = [userId, anonymousId].find((value) => typeof value === 'string' || typeof value === 'number');
  return id === undefined || id === '' ? undefined : String(id);
}
