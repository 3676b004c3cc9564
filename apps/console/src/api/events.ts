import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { answer, api, type Schema } from './client.js';
import { isUnknown } from './errors.js';
import { cursorOf } from './pages.js';
import { untilHealed } from './refetch.js';

export type Trace = Schema<'EventTrace'>;
export type Way = Trace['destinations'][number];
export type Step = Way['steps'][number];

const MOVING = new Set(['under_way', 'retrying']);
/** An event that was just sent is known within seconds. */
const ARRIVAL_MS = 3_000;

/** The whole life of one event. It is asked for again while something of it is under way, and while it has not come yet. */
export const eventQuery = (messageId: string) =>
  queryOptions({
    queryKey: ['event', messageId],
    queryFn: () => answer(api.GET('/v2/events/{messageId}', { params: { path: { messageId } } })),
    refetchInterval: (query) => {
      const ways = query.state.data?.destinations ?? [];
      const { status, error } = query.state;
      if (status === 'error') return isUnknown(error) ? ARRIVAL_MS : untilHealed(query);
      return query.state.data?.status === 'routed' && ways.every(({ status }) => !MOVING.has(status)) ? 10_000 : 1_500;
    },
  });

/** The dead letter of a way, if it ended in one. A dead letter has the event as it came in. */
export const deadLetterOf = ({ status, steps }: Way): string | undefined =>
  status === 'dead' ? steps.findLast((step) => step.deliveryId)?.deliveryId : undefined;

/** The events of one user, newest first. */
export const eventsOfUserQuery = (userId: string) =>
  infiniteQueryOptions({
    queryKey: ['events of', userId],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      answer(
        api.GET('/v2/events', { params: { query: { userId, ...(pageParam ? { after_cursor: pageParam } : {}) } } }),
      ),
    getNextPageParam: ({ paging }) => cursorOf(paging.next),
  });

/** A dead letter or a delivery in retry. Admins see its event. */
export const deliveryQuery = (id: string) =>
  queryOptions({
    queryKey: ['delivery', id],
    queryFn: () => answer(api.GET('/v2/deliveries/{id}', { params: { path: { id } } })),
  });

/** How many deliveries would be sent again, and from when the oldest is. */
export const planReplay = (wanted: Schema<'ReplayRequest'>) =>
  answer(api.POST('/v2/deliveries/replay', { body: { ...wanted, dryRun: true } }));

/** Sends an event to the intake with a write key, as an SDK does. The session stays out of it. */
export async function sendEvent(writeKey: string, event: { type: string } & Record<string, unknown>): Promise<void> {
  const response = await fetch(`/v1/${event.type}`, {
    method: 'POST',
    credentials: 'omit',
    headers: { authorization: `Basic ${btoa(`${writeKey}:`)}`, 'content-type': 'application/json' },
    body: JSON.stringify(event),
  });
  if (!response.ok) throw new Error(`The intake refused the event: ${await response.text()}`);
}
