import { AppError, isJsonObject, type JsonObject } from '@weir/contracts';
import { merged } from '../object-of.js';
import { NAME_LENGTH_MAX } from './forms.js';
import { firstAt, valueAt } from './paths.js';

export type MessageType = 'identify' | 'track' | 'page' | 'screen' | 'group' | 'alias';

/** Paths of a trait under each of its names, first in the event and then in its context. */
export const trait = (...names: string[]): string[] => [
  ...names.map((name) => `traits.${name}`),
  ...names.map((name) => `context.traits.${name}`),
];
export const property = (...names: string[]): string[] => names.map((name) => `properties.${name}`);

/** Paths of the user id in conventional order. `USER_ID` adds the anonymous id last. */
export const KNOWN_USER_ID: readonly string[] = [
  'userId',
  ...['traits.userId', 'traits.id'],
  ...['context.traits.userId', 'context.traits.id'],
];
export const USER_ID: readonly string[] = [...KNOWN_USER_ID, 'anonymousId'];
export const EMAIL: readonly string[] = [...trait('email'), 'properties.email'];
export const PHONE: readonly string[] = [...trait('phone'), 'properties.phone'];
export const FIRST_NAME: readonly string[] = trait('firstName', 'firstname', 'first_name');
export const LAST_NAME: readonly string[] = trait('lastName', 'lastname', 'last_name');
export const TIMESTAMP: readonly string[] = ['timestamp', 'originalTimestamp'];
export const PAGE_NAME: readonly string[] = ['name', 'properties.name', 'properties.category'];
export const IP: readonly string[] = ['context.ip', 'request_ip'];

/** The event's traits, or those of its context if it has none. */
export function traitsOf(event: JsonObject): JsonObject {
  const found = [event['traits'], valueAt(event, 'context.traits')].find(
    (traits) => isJsonObject(traits) && hasKeys(traits),
  );
  return isJsonObject(found) ? found : {};
}

/** The traits of context and event. Those of the event win. */
export function mergedTraits(event: JsonObject): JsonObject {
  const inContext = valueAt(event, 'context.traits');
  return merged(isJsonObject(inContext) ? inContext : {}, isJsonObject(event['traits']) ? event['traits'] : {});
}

const hasKeys = (object: JsonObject) => Object.keys(object).length > 0;

/** The full name, as given or built from first and last name. */
export function fullName(traits: JsonObject): string | undefined {
  const part = (...keys: string[]) =>
    keys.map((key) => traits[key]).find((value) => typeof value === 'string' && value !== '');
  if (typeof traits['name'] === 'string' && traits['name'] !== '') return traits['name'];
  const parts = [part('firstName', 'firstname', 'first_name'), part('lastName', 'lastname', 'last_name')];
  return parts.filter(Boolean).join(' ') || undefined;
}

/** An id under `context.externalId: [{ type, id }]`. */
export function externalId(event: JsonObject, type: string): string | undefined {
  const ids = valueAt(event, 'context.externalId');
  const found = Array.isArray(ids)
    ? ids.filter(isJsonObject).find((entry) => entry['type'] === type)?.['id']
    : undefined;
  return found === undefined || found === null || found === '' ? undefined : String(found);
}

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

/** The system family named by the first of these paths that has a value. */
export function deviceFamily(
  event: JsonObject,
  paths: readonly string[] = ['context.device.type', 'context.os.name'],
): 'apple' | 'android' | undefined {
  const name = String(firstAt(event, paths) ?? '').toLowerCase();
  if (APPLE_SYSTEMS.includes(name)) return 'apple';
  return name === 'android' ? 'android' : undefined;
}
