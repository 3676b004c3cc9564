import { type DeliveryBatch, type JsonObject, normalizeUserId } from '@weir/contracts';
import type { DeadLetter, DeadLetterStage } from '../dead-letters/dead-letter.repository.js';

/** One event for one destination, as user code left it. */
export interface DeliveryUnit {
  /** The same after a redelivery; destinations see it as idempotency key. */
  key: string;
  batch: DeliveryBatch;
  /** As it was accepted. */
  original: JsonObject;
  /** As user code left it. */
  event: JsonObject;
}

/** Names an event of a batch; `output` counts what user code made of it. */
export const eventKeyOf = ({ batchId }: DeliveryBatch, index: number, output?: number): string =>
  [batchId, index, output].filter((part) => part !== undefined).join('.');

/** Events of one user from one source stay in order; an event of nobody has a lane of its own. */
export function laneOf(batch: DeliveryBatch, index: number): string {
  const event = batch.events[index] ?? {};
  const user = normalizeUserId(event['userId']) ?? normalizeUserId(event['anonymousId']);
  return user === undefined ? `event/${eventKeyOf(batch, index)}` : `user/${batch.sourceId}/${user}`;
}

export interface Failure {
  stage: DeadLetterStage;
  reason: string;
  status?: number;
  attempts: number;
}

export function deadLetterOf(batch: DeliveryBatch, eventKey: string, event: JsonObject, failure: Failure): DeadLetter {
  const { workspaceId, destinationId, sourceId, receivedAt } = batch;
  return { workspaceId, destinationId, sourceId, receivedAt, eventKey, event, ...failure };
}
