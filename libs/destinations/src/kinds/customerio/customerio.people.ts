import type { JsonObject } from '@weir/contracts';
import * as kit from '../../toolkit/index.js';
import { secondsOf } from './customerio.events.js';

const ADDRESS = ['city', 'country', 'postalCode', 'state', 'street'];
const ACTIONS = ['identify', 'delete', 'add_relationships', 'delete_relationships'];
const OBJECT_TYPE_DEFAULT = '1';

/** A record that a reverse ETL source maps belongs to the person with its external id. */
export function withPerson(event: JsonObject): JsonObject {
  const id = kit.valueAt(event, 'context.externalId.0.id');
  const isMapped = Boolean(kit.valueAt(event, 'context.mappedToDestination'));
  return isMapped ? { ...kit.withMappedIdentifier(event), ...(kit.isGiven(id) && { userId: id }) } : event;
}

/** Attributes of a person. Nulls stay, because they remove attributes. */
export function attributesOf(event: JsonObject): JsonObject {
  const traits = kit.givenTraits(event) ?? {};
  return kit.merged(
    kit.only(kit.objectAt(traits, 'address'), ADDRESS),
    named(kit.omit(traits, ['address', 'anonymousId', 'userId', 'createdAt'])),
    kit.nested(kit.objectAt(event, 'user_properties')),
    kit.compact({
      created_at: kit.toUnixSeconds(kit.firstAt(event, kit.CREATED_AT)),
      _timestamp: secondsOf(event),
      anonymous_id: kit.textAt(event, 'anonymousId'),
    }),
  );
}

/** One dot in the name of a trait is part of the name of an attribute, as existing segments know it. What follows a second nests. */
function named(traits: JsonObject): JsonObject {
  const flat: [string, unknown][] = [];
  const deep = new Map<string, [string, unknown][]>();
  for (const [key, value] of Object.entries(traits)) {
    const second = key.indexOf('.', key.indexOf('.') + 1);
    const name = key.slice(0, Math.max(second, 0));
    const entries = second < 0 ? flat : (deep.get(name) ?? []);
    if (second >= 0) deep.set(name, entries);
    entries.push([key.slice(second + 1), value]);
  }
  const ofDeep = [...deep].map(([name, entries]) => [name, kit.nested(kit.objectOf(entries))] as const);
  return kit.merged(kit.objectOf(flat), kit.objectOf(ofDeep));
}

/** An object, such as a company, and the person who belongs to it. */
export function objectOf(event: JsonObject): JsonObject {
  const groupId = kit.textAt(event, kit.GROUP_ID) ?? kit.refuse('groupId is required');
  const traits = kit.objectAt(event, 'traits');
  const action = kit.textAt(event, ['traits.action', 'properties.action']) ?? '';
  const person = kit.textAt(event, [
    ...kit.KNOWN_USER_ID,
    ...['context.traits.email', 'properties.email', 'context.externalId.0.id'],
  ]);
  return {
    type: 'object',
    action: ACTIONS.includes(action) ? action : 'identify',
    attributes: kit.omit(traits, ['action']),
    identifiers: {
      object_id: groupId,
      object_type_id: kit.textAt(traits, 'objectTypeId') ?? OBJECT_TYPE_DEFAULT,
    },
    cio_relationships: person ? [{ identifiers: identifierOf(person) }] : [],
  };
}

/** Merges the profile of the previous id into that of the user. */
export function mergeOf(event: JsonObject): JsonObject {
  const [kept, merged] = [kit.textAt(event, kit.KNOWN_USER_ID), kit.textAt(event, 'previousId')];
  if (!kept || !merged) kit.refuse('userId and previousId are required');
  return { primary: identifierOf(kept), secondary: identifierOf(merged) };
}

const identifierOf = (id: string): JsonObject => (kit.isEmail(id) ? { email: id } : { id });
