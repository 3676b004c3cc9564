import {
  GetRegulation,
  ListReceiptKeys,
  OverallDeletionStatus,
  PlanRegulation,
  RegulationRecord,
  RegulationType,
  SignedReceipt,
  Text,
} from '@weir/contracts';
import { z } from 'zod';
import { bodyId, pathUuid, queryBoolean } from '../../http/fields.js';
import { IDENTIFIER_LENGTH_MAX, Users } from './user-list.js';

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
  });
export type CreateRegulationBody = z.output<typeof CreateRegulationBody>;

export const RegulationPath = z.object({ id: pathUuid('regulation') });
export type RegulationPath = z.output<typeof RegulationPath>;

export const RegulationsQuery = z.object({
  /** The cursor in `paging.next` of the previous page. Keep that page's filters. */
  after_cursor: Text.max(1_024).optional(),
  userId: Text.trim().min(1).max(IDENTIFIER_LENGTH_MAX).optional(),
  regulationType: RegulationType.optional(),
  canceled: queryBoolean,
  status: OverallDeletionStatus.optional().describe('How far the deletions are'),
});
export type RegulationsQuery = z.output<typeof RegulationsQuery>;

export const CreateRegulationQuery = z.object({
  /** Checks the request and answers its effect with 200. Stores nothing. */
  dryRun: queryBoolean,
});
export type CreateRegulationQuery = z.output<typeof CreateRegulationQuery>;

export const RegulationPlan = PlanRegulation.reply.extend({ dryRun: z.literal(true), users: z.int() });
export const CreatedRegulations = z.union([z.array(RegulationRecord), RegulationPlan]);
export const RegulationPage = z.object({
  data: z.array(RegulationRecord),
  paging: z.object({ next: z.string().optional() }),
});
export const RegulationDetails = GetRegulation.reply;
export const Receipt = SignedReceipt;
export const ReceiptKeys = ListReceiptKeys.reply;
