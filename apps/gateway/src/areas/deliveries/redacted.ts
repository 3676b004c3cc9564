import { isJsonObject, type JsonObject, MASK } from '@weir/contracts';

/** Keys whose values are not needed to repair a delivery. */
const SECRET_KEY =
  /pass(word|wd|phrase)?$|secret|token|authorization|cookie|api[-_]?key|card[-_]?number|cvv|cvc|iban|ssn/i;

/** The event with all likely secrets masked, at any depth. */
export const redacted = (event: JsonObject): JsonObject => masked(event) as JsonObject;

function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(masked);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, SECRET_KEY.test(key) && isText(inner) ? MASK : masked(inner)]),
  );
}

const isText = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number';
