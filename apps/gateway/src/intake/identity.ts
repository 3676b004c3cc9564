import { hash } from 'node:crypto';
import { type JsonObject, normalizeUserId } from '@weir/contracts';

/** Who an event is about; an event needs at least one of the two (wire-facts 6.4). */
export interface Identity {
  userId: string;
  anonymousId: string;
}

/** Numbers count as text, blanks as nothing. Undefined when the event names nobody. */
export function identityOf(event: JsonObject): Identity | undefined {
  const userId = normalizeUserId(event['userId']) ?? '';
  const anonymousId = normalizeUserId(event['anonymousId']) ?? '';
  return userId || anonymousId ? { userId, anonymousId } : undefined;
}

/** The MD5 of `userId:anonymousId` in the form of a version 4 UUID: the same person always gets the same one (wire-facts 6.6). */
export function rudderIdOf({ userId, anonymousId }: Identity): string {
  const hex = hash('md5', `${userId}:${anonymousId}`, 'hex');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}
