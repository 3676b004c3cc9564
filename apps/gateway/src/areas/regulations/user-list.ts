import { isJsonObject } from '@weir/contracts';
import { z } from 'zod';
import { PROBLEMS_MAX, problemOf } from '../../http/validate.js';

/** Identifiers of one user, and characters of each (security-reliability 3.5). */
const IDENTIFIERS_MAX = 20;
export const IDENTIFIER_LENGTH_MAX = 1_024;

/** A number is refused where it may not be the one that was written: who is deleted must not depend on rounding. */
const exactNumber = z.number().min(Number.MIN_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER);
const identifier = z.union([z.string().max(IDENTIFIER_LENGTH_MAX), exactNumber, z.boolean()], {
  error: `must be a string of at most ${IDENTIFIER_LENGTH_MAX} characters, a number below 2^53 (a longer one as a string) or a boolean`,
});

/** `userId` always, and any custom identifiers, kept as they are given (spec 4.2 rule 4, wire-facts 2.1). */
const User = z
  .object({ userId: z.string().trim().min(1).max(IDENTIFIER_LENGTH_MAX) })
  .catchall(identifier)
  .refine((user) => Object.keys(user).length <= IDENTIFIERS_MAX, `must have at most ${IDENTIFIERS_MAX} identifiers`);
type User = z.output<typeof User>;

const { $schema: _, ...documented } = z.toJSONSchema(User, { io: 'input' });

/**
 * Five thousand users with twenty identifiers each hold up everybody for a tenth of a second in {@link User}, and three times
 * as long when all are wrong. So it only words what is wrong, and of that no more than an answer names.
 */
export const Users = z
  .array(z.any())
  .min(1, 'must not be empty')
  .superRefine(refuseUsers)
  .transform((users) => users.map(trimmed))
  .meta({ type: 'array', minItems: 1, items: documented });

function refuseUsers(users: unknown[], context: z.RefinementCtx<unknown[]>): void {
  let problems = 0;
  for (const [index, user] of users.entries()) {
    if (isUser(user)) continue;
    const { error } = User.safeParse(user, { error: problemOf });
    for (const { path, message } of error?.issues ?? []) {
      context.addIssue({ code: 'custom', path: [index, ...path], message });
      problems += 1;
    }
    if (problems >= PROBLEMS_MAX) return;
  }
}

/** Whether it is one as {@link User} says. */
function isUser(user: unknown): user is User {
  if (!isJsonObject(user) || typeof user['userId'] !== 'string') return false;
  const identifiers = Object.values(user);
  return user['userId'].trim() !== '' && identifiers.length <= IDENTIFIERS_MAX && identifiers.every(isIdentifier);
}

function isIdentifier(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= IDENTIFIER_LENGTH_MAX;
  return typeof value === 'boolean' || (typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER);
}

const trimmed = (user: User): User => ({ ...user, userId: user.userId.trim() });
