import { EventBatch, isJsonObject, type JsonObject } from '@weir/contracts';
import { describeIssues, type StreamMessage } from '@weir/messaging';

/** A message that will never become a batch. */
export interface Unreadable {
  reason: string;
  body?: string;
}

/** As it came through the stream. */
export interface AcceptedBatch extends EventBatch {
  /** Of the filter that let it pass; it may be late (see `LateEvents`). */
  epoch: number;
}

/** The batch of a message, with `receivedAt` in the one form that sorts as text. */
export function readBatch(message: Pick<StreamMessage, 'json' | 'epoch'>): AcceptedBatch | Unreadable {
  let json: unknown;
  try {
    json = message.json();
  } catch {
    return { reason: 'not JSON' };
  }
  const unreadable = (reason: string): Unreadable => ({ reason, body: JSON.stringify(json) });
  const events = eventsOf(json);
  const parsed = EventBatch.safeParse(events ? { ...(json as object), events: events.slice(0, 1) } : json);
  if (!parsed.success) return unreadable(describeIssues(parsed.error).message);
  const receivedAt = new Date(parsed.data.receivedAt);
  if (Number.isNaN(receivedAt.getTime())) return unreadable('receivedAt: is not a time');
  const read = { ...parsed.data, events: events ?? parsed.data.events, receivedAt: receivedAt.toISOString() };
  return { ...read, epoch: message.epoch };
}

/** Events that are objects, every one: then one of them stands for all before the schema, which is slow by comparison. */
function eventsOf(json: unknown): JsonObject[] | undefined {
  const events = isJsonObject(json) ? json['events'] : undefined;
  return Array.isArray(events) && events.every(isJsonObject) ? events : undefined;
}
