import { EventBatch, isJsonObject, type JsonObject } from '@weir/contracts';
import { describeIssues, type StreamMessage } from '@weir/messaging';

/** A message that cannot be read as a batch. */
export interface Unreadable {
  reason: string;
  body?: string;
}

/** A batch as read from the stream. */
export interface AcceptedBatch extends EventBatch {
  /** Epoch of the filter that let it pass. The batch may be late (see `LateEvents`). */
  epoch: number;
}

/** Reads the batch of a message. Normalises `receivedAt`, so that it sorts as text. */
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

/** The events, if all of them are objects. One of them then stands for all in the schema check, which is slow by comparison. */
function eventsOf(json: unknown): JsonObject[] | undefined {
  const events = isJsonObject(json) ? json['events'] : undefined;
  return Array.isArray(events) && events.every(isJsonObject) ? events : undefined;
}
