import { Ksuid, MESSAGE_TYPES } from '@weir/contracts';
import { z } from 'zod';

export const LiveQuery = z.object({
  sourceId: Ksuid.optional().describe('Shows only the events of this source'),
  destinationId: Ksuid.optional().describe('Shows only the deliveries of this destination, and no accepted events'),
  type: z.enum(MESSAGE_TYPES).optional().describe('Type of the event'),
});
export type LiveQuery = z.output<typeof LiveQuery>;

/** Server-sent events. The route's description defines them. */
export const LiveStream = z.string().meta({ contentMediaType: 'text/event-stream' });
