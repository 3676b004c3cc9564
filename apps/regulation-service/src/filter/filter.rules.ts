import { type EventBatch, type JsonObject, matchIdsOf } from '@weir/contracts';
import type { IsSuppressed, Passage } from '../suppression/passage.js';

/** Every user by whom a regulation may match an event of the batch. */
export function passagesOf(batch: EventBatch): Passage[] {
  return batch.events.flatMap((event) => passagesOfEvent(batch, event));
}

/** The events that may pass, in order. An event without a user id always passes. */
export function acceptedEvents(batch: EventBatch, isSuppressed: IsSuppressed): JsonObject[] {
  return batch.events.filter((event) => !passagesOfEvent(batch, event).some(isSuppressed));
}

const passagesOfEvent = ({ workspaceId, sourceId }: EventBatch, event: JsonObject): Passage[] =>
  matchIdsOf(event).map((userId) => ({ workspaceId, sourceId, userId }));
