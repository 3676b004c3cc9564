import {
  DELIVERY_HOURS_MAX,
  DeadLetterStage,
  Delivery,
  DeliveryCounters,
  DeliveryHour,
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
import { bodyId, instant, pageCursor, queryInteger } from '../../http/fields.js';
import { CursorPaging } from '../../http/lists.js';

const A_DAY = 24;

export const DeliveryPath = z.object({
  id: z
    .string()
    .regex(/^\d{1,18}$/, 'delivery not found')
    .meta({ description: 'Id of the dead letter' }),
});
export type DeliveryPath = z.output<typeof DeliveryPath>;

export const DeliveriesQuery = z.object({
  destinationId: Ksuid.optional().meta({ description: 'Only this destination' }),
  status: DeliveryStatus.optional().describe('Delivered events are counted and not listed'),
  after_cursor: pageCursor(Text.max(64)),
});
export type DeliveriesQuery = z.output<typeof DeliveriesQuery>;

export const DeliveryPage = z.object({
  data: z.array(Delivery),
  paging: CursorPaging,
});

export const DeliveryDetails = Delivery.extend({
  event: JsonObject.optional().meta({
    description: 'The accepted event, only for admin tokens and if it was kept. Likely secrets are masked as ***',
  }),
}).meta({ id: 'DeliveryDetails' });

export const CountersQuery = z.object({
  destinationId: Ksuid.optional().meta({ description: 'Only this destination' }),
  hours: queryInteger(1, DELIVERY_HOURS_MAX)
    .default(A_DAY)
    .meta({ default: A_DAY, description: 'Hours to look back, including the current one' }),
  after_cursor: pageCursor(Ksuid),
});
export type CountersQuery = z.output<typeof CountersQuery>;

export const CountersPage = z.object({
  data: z.array(DeliveryCounters),
  paging: CursorPaging,
});

export const HoursQuery = CountersQuery.omit({ after_cursor: true });
export type HoursQuery = z.output<typeof HoursQuery>;

export const DeliveryHours = z.object({ data: z.array(DeliveryHour) });

export const ReplayBody = z
  .object({
    dryRun: z
      .boolean()
      .default(true)
      .meta({ description: '`false` sends. Otherwise the answer only says what would be sent' }),
    ids: z
      .array(z.string().regex(/^\d{1,18}$/, 'must be the id of a delivery'))
      .min(1)
      .max(REPLAY_IDS_MAX)
      .optional(),
    destinationId: bodyId.optional(),
    from: instant.optional().meta({ description: 'Earliest time at which the events became dead letters, inclusive' }),
    to: instant.optional().meta({ description: 'Latest time, exclusive' }),
    stage: DeadLetterStage.optional(),
  })
  .meta({ id: 'ReplayRequest', examples: [{ dryRun: true, destinationId: '2nVbmbnCcjPzG9hUyFVmfNgRzKd' }] });
export type ReplayBody = z.output<typeof ReplayBody>;

export const ReplayAnswer = ReplayDeliveries.reply.extend({ dryRun: z.boolean() }).meta({ id: 'ReplayAnswer' });

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
