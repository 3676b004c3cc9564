import type { JsonObject } from '@weir/contracts';
import type { Payload } from '../kind.js';
import { streamPayload, userOf } from '../session/stream-payload.js';
import { postgresSettings } from './postgres.settings.js';

/** Passes the event on unchanged, as one row. */
export function postgresTransform(event: JsonObject, config: JsonObject): Payload[] {
  const { table } = postgresSettings(config);
  return [streamPayload({ type: 'POSTGRES', method: 'INSERT', endpoint: table, json: event, userId: userOf(event) })];
}
