import { hash } from 'node:crypto';
import { type JsonObject, normalizeUserId } from '@weir/contracts';

/** The person that an event is about. An event needs at least one of the two ids (wire-facts 6.4). */
export interface Identity {
  userId: string;
  anonymousId: string;
}

/** Converts numbers to text and ignores blanks. Undefined if the event has neither id. */
export function identityOf(event: JsonObject): Identity | undefined {
  const userId = normalizeUserId(event['userId']) ?? '';
  const anonymousId = normalizeUserId(event['anonymousId']) ?? '';
  return userId || anonymousId ? { userId, anonymousId } : undefined;
}

/** The MD5 of `userId:anonymousId` as a version 4 UUID, so a person always gets the same id (wire-facts 6.6). */
export function rudderIdOf({ userId, anonymousId }: Identity): string {
  const hex = hash('md5', `${userId}:${anonymousId}`, 'hex');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}
