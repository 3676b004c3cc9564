import type { CreateRegulation, PlannedDeletion, RegulatedUser, RequestOf } from '@weir/contracts';
import { destinationKind } from '@weir/destinations';

/** A property of a kind's configuration: with it a destination of a kind that cannot delete by itself can. */
const DELETION_ADDRESS = 'deletionUrl';

/** What each destination could do with a deletion of these users. */
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

/** Keys of any of the users, `userId` first. */
const identifiersOf = (users: readonly RegulatedUser[]): string[] => [
  ...new Set(['userId', ...users.flatMap((user) => Object.keys(user))]),
];
