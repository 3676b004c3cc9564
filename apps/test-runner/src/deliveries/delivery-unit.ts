import { hash } from 'node:crypto';
import { type DeliveryPart, type JsonObject, normalizeUserId } from '@weir/contracts';
import type { DeadLetter, DeadLetterStage } from '../dead-letters/dead-letter.repository.js';

/** A part of a delivery batch, with its owner and destination. */
export interface DestinationPart extends DeliveryPart {
  workspaceId: string;
  destinationId: string;
}

/** The owner of the events and their destination. */
export type DeliveryOwnerIds = Pick<DestinationPart, 'workspaceId' | 'destinationId'>;

/** One event for one destination. */
export interface DeliveryUnit {
  part: DestinationPart;
  /** Position of the event in the accepted part. */
  index: number;
  /** Position among the events that user code returned. Missing before the code ran. */
  output?: number;
  /** The event as user code returned it. */
  event: JsonObject;
}

/** The event as accepted, before any transformation. */
export const originalOf = ({ part, index }: DeliveryUnit): JsonObject => part.events[index] ?? {};

/**
 * Key of an event in a batch. `output` is its position among the events that user code returned. A replay keeps the original key.
 */
export function eventKeyOf({ batchId, replay }: DeliveryPart, index: number, output?: number): string {
  const event = replay ? [replay.eventKey] : [batchId, index];
  return [...event, output].filter((part) => part !== undefined).join('.');
}

/** Events of one user from one source share a lane and stay in order. An event without a user has its own lane. */
export function laneOf(part: DeliveryPart, index: number): string {
  const event = part.events[index] ?? {};
  const user = normalizeUserId(event['userId']) ?? normalizeUserId(event['anonymousId']);
  if (user === undefined) return `event/${eventKeyOf(part, index)}`;
  return `user/${part.sourceId}/${user.length > USER_LENGTH_MAX ? hash('sha256', user) : user}`;
}

/** A lane may wait for a day, so its name must stay short. */
const USER_LENGTH_MAX = 64;

export interface Failure {
  stage: DeadLetterStage;
  reason: string;
  status?: number;
  attempts: number;
}

export function deadLetterOf(unit: DeliveryUnit, failure: Failure): DeadLetter {
  const { part, index, output } = unit;
  const { workspaceId, destinationId, sourceId, receivedAt } = part;
  const names = { eventKey: eventKeyOf(part, index), output };
  return { workspaceId, destinationId, sourceId, receivedAt, ...names, event: originalOf(unit), ...failure };
}
