import type { JsonObject } from '@weir/contracts';
import type { Payload } from '../kind.js';
import { streamPayload, userOf } from '../session/stream-payload.js';
import { s3Settings } from './s3.settings.js';

/** Passes the event on unchanged, as one line of an object. */
export function s3Transform(event: JsonObject, config: JsonObject): Payload[] {
  const { bucket, prefix } = s3Settings(config);
  const endpoint = `${bucket}/${prefix}`;
  return [streamPayload({ type: 'S3', method: 'PUT', endpoint, json: event, userId: userOf(event) })];
}
