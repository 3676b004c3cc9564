import { AppError, isJsonObject, type JsonObject } from '@weir/contracts';
import { NAME_LENGTH_MAX } from './convert.js';
import { FIRST_NAME, FULL_NAME, LAST_NAME } from './generic-fields.js';
import { merged } from './objects.js';
import { firstAt, textAt, valueAt } from './paths.js';

export type MessageType = 'identify' | 'track' | 'page' | 'screen' | 'group' | 'alias';

/** The event's traits, or those of its context if it has none. */
export function traitsOf(event: JsonObject): JsonObject {
  const found = [event['traits'], valueAt(event, 'context.traits')].find(
    (traits) => isJsonObject(traits) && hasKeys(traits),
  );
  return isJsonObject(found) ? found : {};
}

/** The event's traits, even if empty. Those of its context if it has none. */
export function givenTraits(event: JsonObject): JsonObject | undefined {
  const traits = event['traits'] || valueAt(event, 'context.traits');
  return isJsonObject(traits) ? traits : undefined;
}

/** For records that a reverse ETL source maps: their first external id is one of the {@link givenTraits}. Others are unchanged. */
export function withMappedIdentifier(event: JsonObject): JsonObject {
  const identifier = valueAt(event, 'context.externalId.0');
  if (!valueAt(event, 'context.mappedToDestination') || !isJsonObject(identifier)) return event;
  const { identifierType, id } = identifier;
  if (typeof identifierType !== 'string') return event;
  const traits = merged(givenTraits(event) ?? {}, { [identifierType]: id });
  const { context } = event;
  return event['traits'] ? { ...event, traits } : { ...event, context: { ...(context as JsonObject), traits } };
}

/** The traits of context and event. Those of the event win. */
export function mergedTraits(event: JsonObject): JsonObject {
  const inContext = valueAt(event, 'context.traits');
  return merged(isJsonObject(inContext) ? inContext : {}, isJsonObject(event['traits']) ? event['traits'] : {});
}

const hasKeys = (object: JsonObject) => Object.keys(object).length > 0;

/** The full name, as given or built from first and last name. */
export function fullNameOf(event: JsonObject): string | undefined {
  const parts = [textAt(event, FIRST_NAME), textAt(event, LAST_NAME)];
  return textAt(event, FULL_NAME) ?? (parts.filter(Boolean).join(' ') || undefined);
}

/** The same for traits without an event. */
export const fullName = (traits: JsonObject): string | undefined => fullNameOf({ traits });

/** An id under `context.externalId: [{ type, id }]`, as the sender wrote it. */
export function externalIdAsGiven(event: JsonObject, type: string): string | number | undefined {
  const ids = valueAt(event, 'context.externalId');
  const found = Array.isArray(ids)
    ? ids.filter(isJsonObject).find((entry) => entry['type'] === type)?.['id']
    : undefined;
  return (typeof found === 'string' || typeof found === 'number') && found !== '' ? found : undefined;
}

/** The same as a text. */
export const externalId = (event: JsonObject, type: string): string | undefined =>
  externalIdAsGiven(event, type)?.toString();

/** Options for one destination under `integrations`, by any of its names, in any case. */
export function integrationOptions(event: JsonObject, ...names: string[]): JsonObject {
  const integrations = isJsonObject(event['integrations']) ? event['integrations'] : {};
  const wanted = names.map((name) => name.toLowerCase());
  const [, options] = Object.entries(integrations).find(([name]) => wanted.includes(name.toLowerCase())) ?? [];
  return isJsonObject(options) ? options : {};
}

/** Runs the handler of the event's type. Throws for a type without a handler. */
export function byType<T>(event: JsonObject, handlers: Partial<Record<MessageType, (event: JsonObject) => T>>): T {
  const type = typeof event['type'] === 'string' ? event['type'].toLowerCase() : '';
  if (type === '') throw new AppError('invalid', 'Event type is required');
  const handler = Object.hasOwn(handlers, type) ? handlers[type as MessageType] : undefined;
  if (!handler) throw new AppError('invalid', `Event type ${type} is not supported`);
  return handler(event);
}

/** The name of a track event. Throws if it is missing or too long. */
export function eventName(event: JsonObject): string {
  const name = event['event'];
  if (typeof name !== 'string' && typeof name !== 'number') throw new AppError('invalid', 'Event name is required');
  if (String(name).length > NAME_LENGTH_MAX) refuse(`Event name has more than ${NAME_LENGTH_MAX} characters`);
  if (String(name).trim() === '') throw new AppError('invalid', 'Event name is required');
  return String(name);
}

/** Reasons are stored and shown, and may quote an event. This length is enough to explain the problem. */
const REASON_LENGTH_MAX = 280;

export function refuse(message: string): never {
  throw new AppError('invalid', message.slice(0, REASON_LENGTH_MAX));
}

const APPLE_SYSTEMS: readonly string[] = ['ios', 'watchos', 'ipados', 'tvos'];

/** The systems of Apple, whatever the device. */
export const isApple = (system: unknown): boolean => APPLE_SYSTEMS.includes(String(system).toLowerCase());

/** The system family named by the first of these paths that has a value. */
export function deviceFamily(
  event: JsonObject,
  paths: readonly string[] = ['context.device.type', 'context.os.name'],
): 'apple' | 'android' | undefined {
  const name = firstAt(event, paths);
  if (isApple(name)) return 'apple';
  return String(name).toLowerCase() === 'android' ? 'android' : undefined;
}
