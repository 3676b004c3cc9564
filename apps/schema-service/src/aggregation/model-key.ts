import { type JsonObject, storableText } from '@weir/contracts';
import { IDENTIFIER_CHARS_MAX } from './limits.js';
import { isLongerThan } from './text.js';

/** Identifies a model among those of one source. */
export interface ModelKey {
  eventType: string;
  eventIdentifier: string;
}

/** Why an event is not modelled. The values are metric labels. */
export type SkipReason = 'type' | 'name' | 'name_length' | 'paths' | 'models' | 'purged';

/** Track models are named by `event`, page and screen models by `name`. All others have an empty name (ruling 22). */
export function modelKeyOf(event: JsonObject): ModelKey | SkipReason {
  const type = event['type'];
  if (typeof type !== 'string' || type === '') return 'type';
  const name = nameOf(type, event);
  if (name === undefined) return 'name';
  if (isLongerThan(name, IDENTIFIER_CHARS_MAX) || isLongerThan(type, IDENTIFIER_CHARS_MAX)) return 'name_length';
  return { eventType: storableText(type), eventIdentifier: storableText(name) };
}

function nameOf(type: string, { event, name }: JsonObject): string | undefined {
  if (type === 'track') return typeof event === 'string' ? event : undefined;
  if (type !== 'page' && type !== 'screen') return '';
  return typeof name === 'string' ? name : '';
}
