import { isJsonObject, storableText } from '@weir/contracts';

const NAME_CHARS_MAX = 256;

/** The names that lists show of an event. Null if missing or not a string. */
export interface EventNames {
  messageId: string | null;
  eventType: string | null;
  eventName: string | null;
}

export function eventNamesOf(event: unknown): EventNames {
  const { messageId, type, event: track, name } = isJsonObject(event) ? event : {};
  return { messageId: shown(messageId), eventType: shown(type), eventName: shown(type === 'track' ? track : name) };
}

const shown = (value: unknown): string | null =>
  typeof value === 'string' ? storableText(value.slice(0, NAME_CHARS_MAX)) : null;
