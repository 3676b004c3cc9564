import { EventTrace, Text } from '@weir/contracts';
import { z } from 'zod';
import { pageCursor } from '../../http/fields.js';
import { CursorPaging } from '../../http/lists.js';

export const EventPath = z.object({
  messageId: Text.min(1, 'event not found').meta({ description: 'The `messageId` of the event' }),
});
export type EventPath = z.output<typeof EventPath>;

export const EventsQuery = z.object({
  userId: Text.min(1).meta({ description: 'The `userId` of the events. Those of suppressed users are not found' }),
  after_cursor: pageCursor(Text.max(64)),
});
export type EventsQuery = z.output<typeof EventsQuery>;

export const EventTraceAnswer = EventTrace.meta({ id: 'EventTrace' });
export const EventsPage = z.object({ data: z.array(EventTraceAnswer), paging: CursorPaging });
