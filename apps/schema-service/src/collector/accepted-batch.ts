import type { EventBatch } from '@weir/contracts';
import { isBatch, readBatch, type StreamMessage } from '@weir/messaging';

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
export function readAcceptedBatch(message: Pick<StreamMessage, 'json' | 'epoch'>): AcceptedBatch | Unreadable {
  const read = readBatch(message);
  if (!isBatch(read)) return 'json' in read ? { reason: read.problem, body: JSON.stringify(read.json) } : read;
  const receivedAt = new Date(read.receivedAt);
  if (Number.isNaN(receivedAt.getTime())) {
    return { reason: 'receivedAt: is not a time', body: JSON.stringify(message.json()) };
  }
  return { ...read, receivedAt: receivedAt.toISOString(), epoch: message.epoch };
}
