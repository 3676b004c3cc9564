import type { Call } from '../follow-up.js';
import { isTaken } from '../follow-up.js';
import type { DeliveryResult } from '../kind.js';
import { TimedMap } from '../timed-map.js';
import * as kit from '../toolkit/index.js';

/** A field deleted at Zendesk is created again after this time. */
const KNOWN_MS = 300_000;
const ACCOUNTS_MAX = 1_000;
const known = new TimedMap<Set<string>>(KNOWN_MS, ACCOUNTS_MAX);
/** Part of every user and organization, so it is not a custom field. */
const ID = 'id';

/**
 * Zendesk ignores values of unknown fields, so missing fields are created as texts. Resolves to Zendesk's response if no further
 * calls should be made now. A field that Zendesk refuses, for example without permission, stays ignored.
 * https://developer.zendesk.com/api-reference/ticketing/users/user_fields/
 */
export async function makeFields(
  call: Call,
  owner: 'user' | 'organization',
  wanted: readonly string[],
  account: string,
): Promise<DeliveryResult | undefined> {
  const [path, key, nowMs] = [`${owner}_fields.json`, kit.sha256(`${owner} ${account}`), Date.now()];
  const names = wanted.filter((name) => name !== ID);
  if (names.every((name) => known.get(key, nowMs)?.has(name))) return undefined;
  const list = await call('GET', path);
  if (!isTaken(list)) return list;
  const fields = kit.valueAt(list.response, `${owner}_fields`);
  if (!Array.isArray(fields)) return undefined;
  const there = new Set<string>(fields.map((field) => String(kit.valueAt(field, 'key'))));
  for (const name of names.filter((missing) => !there.has(missing))) {
    const field = { type: 'text', key: name, title: name, description: name, active: true };
    const made = await call('POST', path, { [`${owner}_field`]: field });
    if (made.status === 429 || made.status >= 500) return made;
    there.add(name);
  }
  known.set(key, there, nowMs);
  return undefined;
}
