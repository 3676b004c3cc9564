import {
  GetRegulation,
  isJsonObject,
  ListedRegulation,
  ListReceiptKeys,
  OverallDeletionStatus,
  PlanRegulation,
  Regulation,
  RegulationType,
  SignedReceipt,
  Text,
} from '@weir/contracts';
import { z } from 'zod';
import { bodyId, listOrder, pageCursor, pathUuid, queryBoolean } from '../../http/fields.js';
import { CursorPaging } from '../../http/lists.js';
import { PROBLEMS_MAX, problemOf } from '../../http/validate.js';

/** Identifiers of one user, and characters of each (security-reliability 3.5). */
const IDENTIFIERS_MAX = 20;
export const IDENTIFIER_LENGTH_MAX = 1_024;

/** Refuses numbers that may have been rounded. Rounding must not decide who is deleted. */
const exactNumber = z.number().min(Number.MIN_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER);
const identifier = z.union([z.string().max(IDENTIFIER_LENGTH_MAX), exactNumber, z.boolean()], {
  error: `must be a string of at most ${IDENTIFIER_LENGTH_MAX} characters, a number below 2^53 (a longer one as a string) or a boolean`,
});

/** A `userId` and any custom identifiers, kept as given (spec 4.2 rule 4, wire-facts 2.1). */
const User = z
  .object({ userId: z.string().trim().min(1).max(IDENTIFIER_LENGTH_MAX) })
  .catchall(identifier)
  .refine((user) => Object.keys(user).length <= IDENTIFIERS_MAX, `must have at most ${IDENTIFIERS_MAX} identifiers`);
type User = z.output<typeof User>;

const { $schema: _, ...documented } = z.toJSONSchema(User, { io: 'input' });

/**
 * {@link User} takes a tenth of a second for 5,000 users with 20 identifiers each. If all are wrong, it takes three times as
 * long. So {@link User} only words problems here, and only as many as an answer lists.
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

/** Whether the value satisfies {@link User}. */
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

/** Most sources or destinations in one request. */
const IDS_MAX = 1_000;
const Ids = z.array(bodyId).min(1, 'must not be empty').max(IDS_MAX);

export const CreateRegulationBody = z
  .object({
    regulationType: RegulationType,
    sourceIds: Ids.optional(),
    destinationIds: Ids.optional(),
    /** The service checks the number of users, because too many are 413, not 400. */
    users: Users,
  })
  .superRefine(({ regulationType, sourceIds, destinationIds }, context) => {
    const refuse = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message });
    if (sourceIds && destinationIds) refuse('sourceIds', 'cannot be combined with destinationIds');
    else if (sourceIds && regulationType !== 'suppress') refuse('sourceIds', 'belongs to regulationType suppress');
    else if (destinationIds && regulationType !== 'suppress_with_delete') {
      refuse('destinationIds', 'belongs to regulationType suppress_with_delete');
    }
  })
  .meta({
    id: 'CreateRegulation',
    examples: [{ regulationType: 'suppress', users: [{ userId: 'u1', email: 'ada@example.com' }] }],
  });
export type CreateRegulationBody = z.output<typeof CreateRegulationBody>;

export const RegulationPath = z.object({ id: pathUuid('regulation') });
export type RegulationPath = z.output<typeof RegulationPath>;

export const RegulationsQuery = z.object({
  after_cursor: pageCursor(Text.max(1_024)),
  userId: Text.trim().min(1).max(IDENTIFIER_LENGTH_MAX).optional().meta({ description: 'Only of this user' }),
  regulationType: RegulationType.optional().meta({ description: 'Only of this type' }),
  canceled: queryBoolean.meta({ description: 'Only canceled ones, or only those in force' }),
  status: OverallDeletionStatus.optional().describe('State of the deletions'),
  order: listOrder,
  details: queryBoolean.meta({
    description: '`true` adds `createdAt`, and the status of the deletion if there is one',
  }),
});
export type RegulationsQuery = z.output<typeof RegulationsQuery>;

export const CreateRegulationQuery = z.object({
  dryRun: queryBoolean.meta({ description: '`true` answers the effect with 200 and stores nothing' }),
});
export type CreateRegulationQuery = z.output<typeof CreateRegulationQuery>;

export const RegulationPlan = PlanRegulation.reply.extend({ dryRun: z.literal(true), users: z.int() }).meta({
  id: 'RegulationPlan',
});
export const CreatedRegulations = z.union([z.array(Regulation), RegulationPlan]);
export const RegulationPage = z.object({
  data: z.array(ListedRegulation),
  paging: CursorPaging,
});
export const RegulationDetails = GetRegulation.reply;
export const Receipt = SignedReceipt;
export const ReceiptKeys = ListReceiptKeys.reply;
