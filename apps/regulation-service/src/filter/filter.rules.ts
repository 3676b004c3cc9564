import { type EventBatch, type JsonObject, matchIdsOf } from '@weir/contracts';
import type { IsSuppressed, Passage } from '../suppression/passage.js';

/** Every user of the batch by whom a regulation may match one of its events. */
export function passagesOf(batch: EventBatch): Passage[] {
  return batch.events.flatMap((event) => passagesOfEvent(batch, event));
}

/** The events that may pass, in their order. An event without a user id always may. */
export function acceptedEvents(batch: EventBatch, isSuppressed: IsSuppressed): JsonObject[] {
  return batch.events.filter((event) => !passagesOfEvent(batch, event).some(isSuppressed));
}

const passagesOfEvent = ({ workspaceId, sourceId }: EventBatch, event: JsonObject): Passage[] =>
  matchIdsOf(event).map((userId) => ({ workspaceId, sourceId, userId }));
