import {
  AppError,
  type CreateRegulation,
  invalidField,
  type PlannedDeletion,
  type RegulatedUser,
  type RequestOf,
} from '@weir/contracts';
import { destinationKind } from '@weir/destinations';
import { CANNOT_DELETE } from '../deletion/task.rules.js';

/** Bytes of one user's identifiers as JSON. A page of 50 regulations must fit one message. */
const USER_BYTES_MAX = 16_384;
/** Suppression rows or deletion tasks of one request, which take about two seconds to write. */
export const ROWS_MAX = 100_000;

type NewRegulation = RequestOf<typeof CreateRegulation>;

/** Refuses a request that cannot be stored as a whole. Messages name positions and never an identifier. */
export function checkNewRegulation({ regulationType, sourceIds, destinations, users }: NewRegulation): void {
  if (regulationType === 'suppress_with_delete' && sourceIds) {
    throw invalidField('sourceIds', 'belongs to suppress: suppress_with_delete covers every source');
  }
  if (regulationType === 'suppress' && destinations.length > 0) {
    throw invalidField('destinationIds', 'belongs to suppress_with_delete');
  }
  users.forEach(checkUser);
  const perUser = Math.max(sourceIds?.length ?? 1, destinations.length);
  if (users.length * perUser > ROWS_MAX) {
    throw new AppError(
      'too_large',
      `users times ${sourceIds ? 'sourceIds' : 'destinations'} may be ${ROWS_MAX} at most`,
    );
  }
}

function checkUser(user: RegulatedUser, index: number): void {
  if (!matchIdOf(user)) throw invalidField(`users.${index}.userId`, 'must be a string that is not blank');
  if (Buffer.byteLength(JSON.stringify(user)) > USER_BYTES_MAX) {
    throw invalidField(`users.${index}`, `must not take more than ${USER_BYTES_MAX} bytes as JSON`);
  }
}

/** The id that events are compared with: trimmed, otherwise exact (ruling 12). */
export const matchIdOf = ({ userId }: RegulatedUser): string => (typeof userId === 'string' ? userId.trim() : '');

/** Describes what each destination could do to delete these users. */
export function plannedDeletions({
  destinations,
  users,
}: Pick<RequestOf<typeof CreateRegulation>, 'destinations' | 'users'>): PlannedDeletion[] {
  const given = identifiersOf(users);
  return destinations.map((destination) => {
    const { id: destinationId, type } = destination;
    const judged = deletionOf(destination);
    const taken = destinationKind(type)?.deletion?.identifiers ?? given;
    const identifiers = judged.deletion === 'not_supported' ? [] : given.filter((key) => taken.includes(key));
    return { destinationId, type, ...judged, identifiers };
  });
}

function deletionOf({
  type,
  configKeys,
}: NewRegulation['destinations'][number]): Pick<PlannedDeletion, 'deletion' | 'reason'> {
  const deletion = destinationKind(type)?.deletion;
  if (!deletion) return { deletion: 'not_supported', reason: CANNOT_DELETE };
  const { requires = [] } = deletion;
  if (requires.length > 0 && !configKeys) return { deletion: 'if_configured' };
  const missing = requires.filter((key) => !configKeys?.includes(key));
  if (missing.length === 0) return { deletion: 'supported' };
  const names = missing.map((key) => `config.${key}`).join(' and ');
  return { deletion: 'not_supported', reason: `it cannot delete as configured: set ${names}` };
}

/** Identifier keys of all users, `userId` first. */
const identifiersOf = (users: readonly RegulatedUser[]): string[] => [
  ...new Set(['userId', ...users.flatMap((user) => Object.keys(user))]),
];
