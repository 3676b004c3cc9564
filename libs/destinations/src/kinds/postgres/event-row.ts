import { isJsonObject, type JsonObject, storableText } from '@weir/contracts';
import type { SessionItem } from '../../kind.js';
import * as kit from '../../toolkit/index.js';

/** A row in the order of the table's columns. All values are texts, which Postgres parses. */
export type EventRow = [
  id: string,
  messageId: string | null,
  type: string | null,
  event: string | null,
  userId: string | null,
  anonymousId: string | null,
  sentAt: string | null,
  payload: string,
];

export function eventRow({ payload, idempotencyKey }: SessionItem): EventRow {
  const json = storable(payload.body.JSON) as JsonObject;
  const { messageId, type, event, userId, anonymousId, timestamp, originalTimestamp } = json;
  return [
    idempotencyKey,
    text(messageId),
    text(type),
    text(event),
    text(userId),
    text(anonymousId),
    isoTime(timestamp ?? originalTimestamp),
    JSON.stringify(json),
  ];
}

/** Postgres refuses U+0000 and half of a surrogate pair. */
function storable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(storable);
  if (!isJsonObject(value)) return value;
  return kit.objectOf(Object.entries(value).map(([key, inner]) => [storableText(key), storable(inner)]));
}

const text = (value: unknown): string | null =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : null;

/** An unreadable time stays only in the payload. */
function isoTime(value: unknown): string | null {
  const time = typeof value === 'string' || typeof value === 'number' ? new Date(value) : undefined;
  // Limits the year, because Postgres cannot parse longer years in this form.
  const isReadable = time !== undefined && Math.abs(time.getTime()) < Date.UTC(9999, 0);
  return isReadable ? time.toISOString() : null;
}
