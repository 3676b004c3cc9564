import type { JsonObject } from '@weir/contracts';
import type { Payload } from '../kind.js';
import { restPayload } from '../payload.js';

export interface StreamPayload {
  /** Name of the kind, in place of `REST`. */
  type: string;
  /** The operation: `PRODUCE`, `PUBLISH`, `INSERT`. */
  method: string;
  /** The place in the destination: topic, subject, key, table. */
  endpoint: string;
  json: JsonObject;
  headers?: Record<string, string>;
  /** Items with the same one keep their order. */
  userId?: string | undefined;
}

/** An item for a kind that delivers through the data plane, in the common form of payloads. */
export const streamPayload = ({ type, json, ...more }: StreamPayload): Payload => ({
  ...restPayload({ ...more, body: { JSON: json } }),
  type,
});

/** The user of an event. Events with the same user stay in order. */
export function userOf({ userId, anonymousId }: JsonObject): string | undefined {
  const id = [userId, anonymousId].find((value) => typeof value === 'string' || typeof value === 'number');
  return id === undefined || id === '' ? undefined : String(id);
}
