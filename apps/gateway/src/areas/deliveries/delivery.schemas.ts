import {
  DELIVERY_HOURS_MAX,
  DeadLetterStage,
  Delivery,
  DeliveryCounters,
  DeliveryStatus,
  invalidField,
  JsonObject,
  Ksuid,
  REPLAY_IDS_MAX,
  ReplayDeliveries,
  type ReplaySelection,
  Text,
} from '@weir/contracts';
import { z } from 'zod';
import { bodyId, instant, queryInteger } from '../../http/fields.js';

const A_DAY = 24;

export const DeliveryPath = z.object({ id: z.string().regex(/^\d{1,18}$/, 'delivery not found') });
export type DeliveryPath = z.output<typeof DeliveryPath>;

export const DeliveriesQuery = z.object({
  destinationId: Ksuid.optional(),
  status: DeliveryStatus.optional().describe('What was delivered is counted, not listed'),
  /** The cursor in `paging.next` of the previous page. Keep that page's filters. */
  after_cursor: Text.max(64).optional(),
});
export type DeliveriesQuery = z.output<typeof DeliveriesQuery>;

export const DeliveryPage = z.object({
  data: z.array(Delivery),
  paging: z.object({ next: z.string().optional() }),
});

export const DeliveryDetails = Delivery.extend({
  event: JsonObject.optional().meta({
    description: 'As it was accepted, for admin tokens; what looks like a secret stands as ***',
  }),
});

export const CountersQuery = z.object({
  destinationId: Ksuid.optional(),
  hours: queryInteger(1, DELIVERY_HOURS_MAX).default(A_DAY),
  after_cursor: Ksuid.optional(),
});
export type CountersQuery = z.output<typeof CountersQuery>;

export const CountersPage = z.object({
  data: z.array(DeliveryCounters),
  paging: z.object({ next: z.string().optional() }),
});

export const ReplayBody = z.object({
  dryRun: z
    .boolean()
    .default(true)
    .meta({ description: '`false` sends; until then the answer says what would be sent' }),
  ids: z
    .array(z.string().regex(/^\d{1,18}$/, 'must be the id of a delivery'))
    .min(1)
    .max(REPLAY_IDS_MAX)
    .optional(),
  destinationId: bodyId.optional(),
  from: instant.optional().meta({ description: 'Of when they became dead letters; belongs to the range' }),
  to: instant.optional().meta({ description: 'Does not belong to the range' }),
  stage: DeadLetterStage.optional(),
});
export type ReplayBody = z.output<typeof ReplayBody>;

export const ReplayAnswer = ReplayDeliveries.reply.extend({ dryRun: z.boolean() });

/** Selects deliveries by id, or a time range of one destination. */
export function selectionOf({ ids, destinationId, from, to, stage }: ReplayBody): ReplaySelection {
  if (ids) {
    if (destinationId ?? from ?? to ?? stage) throw invalidField('ids', 'cannot be combined with a range');
    return { ids };
  }
  if (!destinationId) throw invalidField('ids', 'or destinationId must say what to send again');
  const range = { ...(from && { from: from.toISOString() }), ...(to && { to: to.toISOString() }) };
  return { destinationId, ...range, ...(stage && { stage }) };
}
