import type { JsonObject } from '@weir/contracts';
import * as kit from '../toolkit/index.js';

/** Properties that identify a person. Left out of custom data unless the configuration allows them. */
const PERSONAL = [
  ...['email', 'firstName', 'lastName', 'firstname', 'lastname', 'first_name', 'last_name', 'gender', 'city'],
  ...['country', 'phone', 'state', 'zip', 'postalCode', 'birthday'],
];
/** Properties that are part of the event and not of its data. */
export const OF_EVENT = ['opt_out', 'event_id', 'action_source'];

/** Custom data without personal properties. Properties configured for hashing are hashed, personal or not. */
export function withoutPersonal(properties: JsonObject, config: JsonObject, isHashed: boolean): JsonObject {
  const allowed = kit.configWords(config, 'whitelistPiiProperties', 'whitelistPiiProperties');
  const listed = kit.configList(config, 'blacklistPiiProperties').filter(isForHash);
  const hashedKeys = new Set(listed.map(({ blacklistPiiProperties: key }) => key));
  const left = [...OF_EVENT, ...PERSONAL.filter((key) => !allowed.includes(key) && !hashedKeys.has(key))];
  const kept = Object.entries(kit.omit(properties, left));
  return kit.objectOf(kept.map(([key, value]) => [key, hashedKeys.has(key) ? asHash(value, isHashed) : value]));
}

const isForHash = ({ blacklistPiiHash: isHash }: JsonObject) => isHash === true;

/** Null counts as the text `null`, as existing reports have it. */
function asHash(value: unknown, isHashed: boolean): string {
  const text = kit.toText(value) ?? 'null';
  return isHashed ? text : kit.sha256(text);
}
