import { AppError, type JsonObject } from '@weir/contracts';
import type { Payload } from '../kind.js';
import { requiredText } from '../session/settings.js';
import { streamPayload, userOf } from '../session/stream-payload.js';

/** Whole tokens between dots. Wildcards are for subscribers only. */
const SUBJECT = /^[^\s.*>]+(\.[^\s.*>]+)*$/;

/** Passes the event on unchanged, under the configured subject. */
export function natsTransform(event: JsonObject, config: JsonObject): Payload[] {
  const subject = requiredText(config, 'subject');
  const endpoint = config['subjectByType'] === true ? `${subject}.${String(event['type'])}` : subject;
  if (!SUBJECT.test(endpoint)) throw new AppError('invalid', 'subject must be words with dots between them');
  return [streamPayload({ type: 'NATS', method: 'PUBLISH', endpoint, json: event, userId: userOf(event) })];
}
