import { AppError, type CreateRegulation, invalidField, type RegulatedUser, type RequestOf } from '@weir/contracts';

/** Bytes of one user's identifiers as JSON. A page of 50 records must fit one message. */
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
