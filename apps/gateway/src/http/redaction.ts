import { isJsonObject, type JsonObject, MASK, type Role } from '@weir/contracts';
import { isSecretName } from '@weir/settings';
import { seesEvents } from './principal.js';

/** The event as admin tokens see it: with likely secrets masked, at any depth. Other tokens see no events. */
export const shownEvent = (role: Role, event: JsonObject): { event?: JsonObject } =>
  seesEvents(role) ? { event: redacted(event) } : {};

export const redacted = (event: JsonObject): JsonObject => redactedValue(event) as JsonObject;

/** A value with likely secrets masked, at any depth. */
export function redactedValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redactedValue);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => [
    key,
    isSecret(key, inner) ? MASK : redactedValue(inner),
  ]);
  return Object.fromEntries(entries) as JsonObject;
}

const isSecret = (key: string, value: unknown): boolean =>
  isSecretName(key) && (typeof value === 'string' || typeof value === 'number');
