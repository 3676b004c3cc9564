import { z } from 'zod';
import { JsonObject, Ksuid } from './ids.js';
import { PARTITIONS } from './limits.js';
import { type Placed, partitionOfBatch } from './partitions.js';
import { storableText } from './text.js';

export const MESSAGE_TYPES = ['identify', 'track', 'page', 'screen', 'group', 'alias'] as const;
export type MessageType = (typeof MESSAGE_TYPES)[number];

/** Events of one source from one request. A message of EVENTS_RAW or EVENTS_ACCEPTED holds one or more batches, one per line. */
export const EventBatch = z.object({
  /** Identifies the batch in every stream (architecture section 4). Also the `Nats-Msg-Id` of a message with one batch. */
  batchId: z.string().min(1),
  workspaceId: Ksuid,
  sourceId: Ksuid,
  writeKey: z.string().min(1),
  /** When the intake received the batch, ISO 8601. */
  receivedAt: z.string(),
  /** Revision of the INVENTORY bucket that the intake saw. A consumer that is behind catches up before it routes the batch. */
  inventoryRevision: z.number().int().nonnegative(),
  /** Identity of that bucket. Revisions restart when the bucket is created anew. */
  inventoryBucket: z.string().optional(),
  /** Set by the intake for a source that is spread over partitions. Missing: the partition of the source. */
  partition: z
    .int()
    .min(0)
    .max(PARTITIONS - 1)
    .optional(),
  events: z.array(JsonObject).min(1),
});
export type EventBatch = z.output<typeof EventBatch>;

/** Events of one accepted batch for one destination. */
export const DeliveryPart = EventBatch.omit({
  workspaceId: true,
  inventoryRevision: true,
  inventoryBucket: true,
  writeKey: true,
}).extend({
  /** In which share the source was traced at the time (`isTraced`). Missing if nothing is traced. */
  traceShare: z.number().optional(),
  /**
   * Set when an event is sent again, alone in its part. Holds its event key and the index of the code output that it was. `receivedAt`
   * is when it came in, and missing from messages of earlier releases. That of the part is when it was sent again.
   */
  replay: z
    .object({
      eventKey: z.string().min(1),
      output: z.number().int().nonnegative().optional(),
      receivedAt: z.string().optional(),
      /** The event was a dead letter, which the replay has removed. Missing in replays of a time range. */
      wasLetter: z.boolean().optional(),
    })
    .optional(),
});
export type DeliveryPart = z.output<typeof DeliveryPart>;

/** One message of DELIVERIES: all parts that waited for the destination at the time of the write, in order. */
export const DeliveryBatch = z.object({
  workspaceId: Ksuid,
  destinationId: Ksuid,
  parts: z.array(DeliveryPart).min(1),
});
export type DeliveryBatch = z.output<typeof DeliveryBatch>;

export const rawSubject = (batch: Placed) =>
  `events.raw.${partitionOfBatch(batch)}.${batch.workspaceId}.${batch.sourceId}`;
export const acceptedSubject = (batch: Placed) =>
  `events.accepted.${partitionOfBatch(batch)}.${batch.workspaceId}.${batch.sourceId}`;

const KIB = 1_024;

/**
 * The subject of a stored message, with its size in KiB behind the partition: `events.raw.3.12.<workspace>.<source>`. The broker
 * counts messages by subject, so these counts tell how many bytes each workspace has in a stream.
 */
export function sizedSubject(subject: string, bytes: number): string {
  const [events, stage, partition, ...ids] = subject.split('.');
  return [events, stage, partition, Math.ceil(bytes / KIB), ...ids].join('.');
}

const SIZE_AT = 3;
/** Tokens of a subject with a size. Messages of an earlier release have one less, and those of queues are shorter. */
const SIZED_TOKENS = 6;

/** The subject as it is for the batches of a source, whatever the size of a message. Everything that groups messages goes by it. */
export function withoutSize(subject: string): string {
  const tokens = subject.split('.');
  return tokens.length === SIZED_TOKENS ? tokens.toSpliced(SIZE_AT, 1).join('.') : subject;
}

/** Workspace and bytes of a message by its subject. Undefined for a message of an earlier release, whose subject has no size. */
export function sizeOf(subject: string): { workspaceId: string; bytes: number } | undefined {
  const tokens = subject.split('.');
  const [, , , size, workspaceId = ''] = tokens;
  return tokens.length === SIZED_TOKENS ? { workspaceId, bytes: Number(size) * KIB } : undefined;
}

/** A process of the role has given up a partition, which is free now. The message is empty. */
export const partitionsReleasedSubject = (role: string) => `partitions.released.${role}`;
/** A process of the role answers here while it is connected. Requests and answers are empty. `*` matches all members. */
export const memberSubject = (role: string, member: string) => `partitions.member.${role}.${member}`;
/** The subject of the events of one partition that wait for a destination. `*` matches all partitions or destinations. */
export const deliverySubject = (partition: number | '*', destinationId: string) =>
  `deliveries.${partition}.${destinationId}`;

/**
 * The form in which regulations compare user ids: a text or number, trimmed (ruling 12), with U+FFFD for characters that a text
 * column cannot hold. Undefined when there is no id.
 */
export function normalizeUserId(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  return storableText(String(value).trim()) || undefined;
}

/** The user ids by which a regulation matches an event: its `userId`, and the `previousId` of an alias (ruling 12). */
export function matchIdsOf(event: JsonObject): string[] {
  const candidates = event['type'] === 'alias' ? [event['userId'], event['previousId']] : [event['userId']];
  return candidates.map(normalizeUserId).filter((id) => id !== undefined);
}

/**
 * The id that order is promised for: of one source, events with the same id are delivered in order (specification, live delivery).
 * Undefined for an event without a user, which has no order.
 */
export const orderIdOf = (event: JsonObject): string | undefined =>
  normalizeUserId(event['userId']) ?? normalizeUserId(event['anonymousId']);
