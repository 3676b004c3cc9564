import { hash } from 'node:crypto';
import { type DeliveryPart, isJsonObject, type JsonObject, matchIdsOf, orderIdOf, storableText } from '@weir/contracts';
import type { DestinationKind, Payload } from '@weir/destinations';
import type { SendOutcome } from '@weir/stages';

/** A part of a delivery batch, with its owner and destination. */
export interface DestinationPart extends DeliveryPart {
  workspaceId: string;
  destinationId: string;
}

/** The owner of the events and their destination. */
export type DestinationRef = Pick<DestinationPart, 'workspaceId' | 'destinationId'>;

/** One event for one destination. */
export interface DeliveryUnit {
  part: DestinationPart;
  /** Position of the event in the accepted part. */
  index: number;
  /** Position among the events that user code returned. Missing before the code ran. */
  output?: number;
  /** The event as user code returned it. */
  event: JsonObject;
  /** The version of user code that ran. Missing if there is none, or if it has not run. */
  versionId?: string | undefined;
  /** The output and request of the last attempt. Missing after the attempt, because it holds memory. */
  work?: Work | undefined;
}

/** The output of one attempt, and the last answer. */
export interface Work {
  kind: DestinationKind;
  config: JsonObject;
  payloads: Payload[];
  /** Missing if nothing was sent. */
  sent?: SendOutcome;
  /** From the begin of sending to the last answer. */
  milliseconds: number;
}

/**
 * The outcomes of an event for a destination:
 * - `accepted`: taken for the destination, into memory or into its queue
 * - `transformed`: returned by user code, counted per returned event
 * - `delivered`: the destination took it
 * - `failed`: an attempt failed, counted per attempt
 * - `dead`: became a dead letter
 * - `suppressed`: its user is suppressed
 * - `dropped_by_code`: user code dropped it
 * - `filtered`: its client does not want it here, or the kind makes no request of it
 * - `dropped`: the destination is disabled or gone
 */
export type DeliveryOutcome =
  | 'accepted'
  | 'transformed'
  | 'delivered'
  | 'failed'
  | 'dead'
  | 'suppressed'
  | 'dropped_by_code'
  | 'filtered'
  | 'dropped';

/** The stage where an event stopped. `queue` means that the destination had used up its share of the stream. */
export type DeadLetterStage = 'queue' | 'user_transform' | 'dest_transform' | 'delivery';

/** Why an event became a dead letter. */
export interface Failure {
  stage: DeadLetterStage;
  reason: string;
  status?: number;
  attempts: number;
}

/** The event as accepted, before any transformation. */
export const originalOf = ({ part, index }: DeliveryUnit): JsonObject => part.events[index] ?? {};

/** Whom the event is about, by its ids as it was accepted. A suppression goes by these. */
export const usersOf = (unit: DeliveryUnit) => ({
  ...unit.part,
  userIds: matchIdsOf(originalOf(unit)),
});

/**
 * Key of an event in a batch. `output` is its position among the events that user code returned. A replay keeps the original key.
 */
export function eventKeyOf({ batchId, replay }: DeliveryPart, index: number, output?: number): string {
  const event = replay ? [replay.eventKey] : [batchId, index];
  return [...event, output].filter((part) => part !== undefined).join('.');
}

/** Events of one user from one source share a lane and stay in order. An event without a user has its own lane. */
export function laneOf(part: DeliveryPart, index: number): string {
  const user = orderIdOf(part.events[index] ?? {});
  if (user === undefined) return `event/${eventKeyOf(part, index)}`;
  return `user/${part.sourceId}/${user.length > USER_LENGTH_MAX ? hash('sha256', user) : user}`;
}

/** A lane may wait for a day, so its name must stay short. */
const USER_LENGTH_MAX = 64;

const NAME_CHARS_MAX = 256;

/** The names that lists show of an event. Null if missing or not a string. */
export interface EventNames {
  messageId: string | null;
  eventType: string | null;
  eventName: string | null;
}

export function eventNamesOf(event: unknown): EventNames {
  const { messageId, type, event: track, name } = isJsonObject(event) ? event : {};
  return { messageId: shown(messageId), eventType: shown(type), eventName: shown(type === 'track' ? track : name) };
}

const shown = (value: unknown): string | null =>
  typeof value === 'string' ? storableText(value.slice(0, NAME_CHARS_MAX)) : null;
