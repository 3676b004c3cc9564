import { createHash } from 'node:crypto';
import { AppError } from '@weir/contracts';
import type { InventoryEntity } from './inventory.entity.js';

/** Characters of a tag. 96 bits suffice to tell the states of one object apart. */
const TAG_CHARS = 16;

/** Tags of which one has to be the current one. Without them there is no condition. */
export type IfMatchTags = readonly string[] | undefined;

type Tagged = Pick<InventoryEntity, 'id' | 'updatedAt'>;

/**
 * Entity tag of the state of a source, destination or connection (decision 0052). No two states of an object have one time
 * (`inventory.repositories.ts`), and sealing a configuration anew changes no state.
 */
export const tagOf = ({ id, updatedAt }: Tagged): string =>
  createHash('sha256').update(`${id} ${updatedAt.toISOString()}`).digest('base64url').slice(0, TAG_CHARS);

/** Throws `precondition_failed` unless one of the tags is that of the locked row. */
export function requireMatch(kind: string, row: Tagged, ifMatch: IfMatchTags): void {
  if (ifMatch === undefined || ifMatch.includes(tagOf(row))) return;
  throw new AppError(
    'precondition_failed',
    `The ${kind} has changed since you read it. Read it again, then repeat the change`,
  );
}
