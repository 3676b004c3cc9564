import { hash } from 'node:crypto';
import { type DeliveryPart, type JsonObject, normalizeUserId } from '@weir/contracts';
import type { DeadLetter, DeadLetterStage } from '../dead-letters/dead-letter.repository.js';

/** A part of a delivery batch, with whose it is and where it goes. */
export interface DestinationPart extends DeliveryPart {
  workspaceId: string;
  destinationId: string;
}

/** Whose events they are, and where they go. */
export type DeliveryOwnerIds = Pick<DestinationPart, 'workspaceId' | 'destinationId'>;

/** One event for one destination. */
export interface DeliveryUnit {
  part: DestinationPart;
  /** Which event of the part it was when it was accepted. */
  index: number;
  /** Which of the events that user code made of it; missing as long as there is none. */
  output?: number;
  /** As user code left it. */
  event: JsonObject;
}

/** As it was accepted, before any transformation. */
export const originalOf = ({ part, index }: DeliveryUnit): JsonObject => part.events[index] ?? {};

/** Names an event of a batch; `output` counts what user code made of it. A replay keeps the name that the event had. */
export function eventKeyOf({ batchId, replay }: DeliveryPart, index: number, output?: number): string {
  const event = replay ? [replay.eventKey] : [batchId, index];
  return [...event, output].filter((part) => part !== undefined).join('.');
}

/** Events of one user from one source stay in order; an event of nobody has a lane of its own. */
export function laneOf(part: DeliveryPart, index: number): string {
  const event = part.events[index] ?? {};
  const user = normalizeUserId(event['userId']) ?? normalizeUserId(event['anonymousId']);
  if (user === undefined) return `event/${eventKeyOf(part, index)}`;
  return `user/${part.sourceId}/${user.length > USER_LENGTH_MAX ? hash('sha256', user) : user}`;
}

/** A lane may wait for a day: its name is short. */
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
