import type { CreateRegulation, PlannedDeletion, RegulatedUser, RequestOf } from '@weir/contracts';
import { destinationKind } from '@weir/destinations';

/** A configuration property that lets destinations delete if their kind cannot do so without it. */
const DELETION_ADDRESS = 'deletionUrl';

/** Describes what each destination could do to delete these users. */
export function plannedDeletions({
  destinations,
  users,
}: Pick<RequestOf<typeof CreateRegulation>, 'destinations' | 'users'>): PlannedDeletion[] {
  const given = identifiersOf(users);
  return destinations.map(({ id, type }) => {
    const deletion = deletionOf(type);
    const taken = destinationKind(type)?.deletionIdentifiers ?? given;
    const identifiers = deletion === 'not_supported' ? [] : given.filter((key) => taken.includes(key));
    return { destinationId: id, type, deletion, identifiers };
  });
}

function deletionOf(type: string): PlannedDeletion['deletion'] {
  const kind = destinationKind(type);
  if (!kind?.delete) return 'not_supported';
  const properties = kind.definition.configSchema['properties'];
  const isAddressed = properties instanceof Object && DELETION_ADDRESS in properties;
  return isAddressed ? 'if_configured' : 'supported';
}

/** Identifier keys of all users, `userId` first. */
const identifiersOf = (users: readonly RegulatedUser[]): string[] => [
  ...new Set(['userId', ...users.flatMap((user) => Object.keys(user))]),
];
