import { EventBatch } from '@weir/contracts';
import type { StreamMessage } from '@weir/messaging';

/** A message that is not a batch. The reason quotes nothing of it. */
export interface Unreadable {
  reason: 'not JSON' | 'not a batch of events';
}

export const isUnreadable = (batch: EventBatch | Unreadable): batch is Unreadable => 'reason' in batch;

export function readBatch(message: Pick<StreamMessage, 'json'>): EventBatch | Unreadable {
  let json: unknown;
  try {
    json = message.json();
  } catch {
    return { reason: 'not JSON' };
  }
  const parsed = EventBatch.safeParse(json);
  return parsed.success ? parsed.data : { reason: 'not a batch of events' };
}
