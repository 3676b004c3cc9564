import { isJsonObject, type JsonObject } from '@weir/contracts';
import * as kit from '../toolkit/index.js';
import { userIdOf } from './intercom.fields.js';

/** The body of `POST /events`. The key of its time depends on the API version. */
export function eventOf(event: JsonObject, config: JsonObject, timeKey: 'created' | 'created_at'): JsonObject {
  const who = kit.compact({ user_id: userIdOf(event, config), email: kit.textAt(event, kit.trait('email')) });
  if (kit.isEmpty(who)) kit.refuse('userId or traits.email is required');
  return {
    ...who,
    event_name: kit.eventName(event),
    ...kit.compact({ [timeKey]: kit.toUnixSeconds(kit.firstAt(event, kit.TIMESTAMP)) }),
    ...kit.withoutEmpty({ metadata: metadataOf(kit.objectAt(event, 'properties')) }),
  };
}

/**
 * Intercom stores money amounts and named links as objects:
 * https://developers.intercom.com/docs/references/1.4/rest-api/events/event-metadata-types
 */
const isRich = (value: unknown) =>
  isJsonObject(value) && (('amount' in value && 'currency' in value) || ('url' in value && 'value' in value));

function metadataOf(properties: JsonObject): JsonObject {
  const rich = kit.pick(properties, isRich);
  return kit.merged(rich, kit.flatten(kit.omit(properties, Object.keys(rich))));
}
