import { isJsonObject, type JsonObject } from '@weir/contracts';
import { LRUCache } from 'lru-cache';
import { type Call, isTaken } from '../../delivery/send-payload.js';
import type { DeliveryResult } from '../../kind.js';
import * as kit from '../../toolkit/index.js';

/** https://developer.zendesk.com/api-reference/ticketing/users/users/ */
const USER: kit.Mapping = {
  email: 'email',
  phone: 'phone',
  organization_id: 'organizationId',
  time_zone: 'timezone',
};
/** Traits that name the user. */
const IDS = ['userId', 'id'];

/** https://developer.zendesk.com/api-reference/ticketing/organizations/organizations/ */
const ORGANIZATION: kit.Mapping = {
  name: 'name',
  domain_names: 'domainNames',
  tags: 'tags',
  url: 'url',
  deleted: 'deleted',
};

/** Traits without an attribute become custom fields with one value each. */
const fieldsOf = (id: unknown, traits: JsonObject, named: Iterable<string>): JsonObject =>
  kit.compact({ ...kit.pick(kit.omit(traits, named), (value) => typeof value !== 'object'), id });

export function userOf(event: JsonObject, config: JsonObject): JsonObject {
  const traits = kit.givenTraits(event) ?? {};
  const external_id = kit.textAt(traits, IDS) ?? kit.textAt(event, 'userId');
  return {
    name: kit.fullName(traits) ?? kit.refuse('traits.name is required'),
    ...kit.mapFields(traits, USER),
    external_id,
    user_fields: fieldsOf(external_id, traits, ['name', ...IDS, ...kit.keysRead(USER)]),
    ...verified(config),
  };
}

/** Zendesk asks a new user to confirm the address, unless it is known to be right. */
export const verified = (config: JsonObject) => (kit.isOn(config, 'createUsersAsVerified') ? { verified: true } : {});

/** Zendesk knows an organization by one of its name and our id. */
export function organizationOf(event: JsonObject): JsonObject {
  const traits = isJsonObject(event['traits'])
    ? event['traits']
    : kit.refuse('traits of the organization are required');
  const external_id = kit.textAt(event, 'groupId');
  const organization = kit.mapFields(traits, ORGANIZATION);
  if (!external_id && !('name' in organization)) kit.refuse('groupId or traits.name is required');
  return kit.compact({
    ...organization,
    external_id,
    organization_fields: fieldsOf(external_id, traits, [...kit.keysRead(ORGANIZATION), 'groupId']),
  });
}

/** A field deleted at Zendesk is created again after this time. */
const KNOWN_MS = 300_000;
const ACCOUNTS_MAX = 1_000;

const known = new LRUCache<string, Set<string>>({ max: ACCOUNTS_MAX, ttl: KNOWN_MS });

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
  const [path, key] = [`${owner}_fields.json`, kit.sha256(`${owner} ${account}`)];
  const names = wanted.filter((name) => name !== ID);
  if (names.every((name) => known.get(key)?.has(name))) return undefined;
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
  known.set(key, there);
  return undefined;
}
