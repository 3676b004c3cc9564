import type { Model } from '../../api/schemas.js';
import type { Tone } from '../../components/ui/badge.js';

/** A track event has a name. All events of another type share one. */
export const modelName = ({ EventIdentifier, EventType }: Pick<Model, 'EventIdentifier' | 'EventType'>): string =>
  EventIdentifier || EventType;

const DAY_MS = 86_400_000;
const NEW_MS = 7 * DAY_MS;
const UNUSED_MS = 30 * DAY_MS;

/** New this week, or unused for a month. */
export function stateOf(
  { CreatedAt, LastSeen }: Pick<Model, 'CreatedAt' | 'LastSeen'>,
  now: Date,
): { label: string; tone: Tone } | undefined {
  if (now.getTime() - Date.parse(LastSeen) > UNUSED_MS) return { label: 'unused for 30 days', tone: 'warn' };
  if (now.getTime() - Date.parse(CreatedAt) < NEW_MS) return { label: 'new this week', tone: 'accent' };
  return undefined;
}
