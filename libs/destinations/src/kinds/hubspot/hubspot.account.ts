import { createHash } from 'node:crypto';
import { DELIVERY_TIMEOUT_MS, isJsonObject, type JsonObject } from '@weir/contracts';
import { LRUCache } from 'lru-cache';
import { isTaken, readResponse } from '../../delivery/send-payload.js';
import type { DeliveryResult, Outbound } from '../../kind.js';
import * as kit from '../../toolkit/index.js';
import { API } from './hubspot.contacts.js';
import { isUsual } from './hubspot.properties.js';

interface Property {
  type: string;
  isUnique: boolean;
}
/** The properties that an account defines for a type of objects, by name. */
export type Properties = ReadonlyMap<string, Property>;

/** New properties are used after this time at the latest. */
const KNOWN_MS = 86_400_000;
/** Looks again for a missing property after this time. */
const ASKED_AGAIN_MS = 60_000;
const ACCOUNTS_MAX = 1_000;
/** An account may define a thousand properties, with lists of options. */
const RESPONSE_BYTES_MAX = 16_777_216;

const known = new LRUCache<string, { properties: Properties; atMs: number }>({ max: ACCOUNTS_MAX, ttl: KNOWN_MS });

/**
 * The properties of a type, with the names that are needed. Returns HubSpot's response if it has none.
 * https://developers.hubspot.com/docs/api-reference/crm-properties-v3/guide
 */
export async function propertiesOf(
  outbound: Outbound,
  authorization: string,
  objectType: string,
  needed: readonly string[] = [],
): Promise<Properties | DeliveryResult> {
  const account = createHash('sha256').update(`${objectType} ${authorization}`).digest('base64');
  const found = known.get(account);
  const isComplete = found && needed.every((name) => found.properties.has(name));
  if (found && (isComplete || Date.now() - found.atMs < ASKED_AGAIN_MS)) return found.properties;
  const answer = await outbound.request({
    ...{ method: 'GET', url: `${API}/crm/v3/properties/${objectType}`, headers: { authorization } },
    ...{ timeoutMs: DELIVERY_TIMEOUT_MS, maxResponseBytes: RESPONSE_BYTES_MAX },
  });
  const result = readResponse(answer);
  if (!isTaken(result)) return result;
  const properties = new Map(
    kit.objectsOf(kit.valueAt(kit.parsedJson(answer.body.toString('utf8')), 'results')).map(propertyEntry),
  );
  known.set(account, { properties, atMs: Date.now() });
  return properties;
}

const propertyEntry = ({ name, type, hasUniqueValue }: JsonObject): [string, Property] => [
  String(name),
  { type: String(type), isUnique: hasUniqueValue === true },
];

/**
 * The properties that the account has, each as its type wants it. Throws `AppError('invalid')` for a value that HubSpot would
 * refuse together with all other contacts of the request.
 */
export function fitting(properties: JsonObject, known: Properties): JsonObject {
  const entries = Object.entries(properties).flatMap(([name, value]): [string, unknown][] => {
    const type = known.get(name)?.type ?? (isUsual(name) ? 'string' : undefined);
    return type === undefined ? [] : [[name, fittingValue(name, value, type)]];
  });
  return kit.objectOf(entries);
}

function fittingValue(name: string, value: unknown, type: string): unknown {
  if (type === 'string') return kit.toText(value);
  if (type === 'number' && typeof value !== 'number') kit.refuse(`${name} must be a number, as its property is`);
  if (type === 'bool' && (isJsonObject(value) || Array.isArray(value))) kit.refuse(`${name} must be true or false`);
  return type === 'date' ? toMidnight(value) : value;
}

/** A source that maps records chooses names and values itself, except that HubSpot takes dates only at midnight. */
export const withDates = (properties: JsonObject, known: Properties): JsonObject =>
  kit.objectOf(
    Object.entries(properties).map(([name, value]) => [
      name,
      known.get(name)?.type === 'date' ? toMidnight(value) : value,
    ]),
  );

const DAY_MS = 86_400_000;

/** HubSpot's dates are milliseconds at midnight UTC. A value that is not a time stays, and HubSpot says so. */
function toMidnight(value: unknown): unknown {
  const at = typeof value === 'number' ? value : kit.toUnixMillis(value);
  return at === undefined ? value : Math.floor(at / DAY_MS) * DAY_MS;
}
