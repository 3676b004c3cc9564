import type { JsonObject } from '@weir/contracts';
import * as kit from '../toolkit/index.js';
import { EVENT } from './mixpanel.fields.js';
import { browserOf } from './mixpanel.profile.js';

/** `/import` refuses older events. */
const AGE_MAX_MS = 5 * 365.25 * 86_400_000;

export const isSimplified = (config: JsonObject) => config['identityMergeApi'] === 'simplified';

/** With simplified identities, device ids have their own form. */
export function distinctId(event: JsonObject, config: JsonObject): string {
  const [userId, anonymousId] = [kit.textAt(event, 'userId'), kit.textAt(event, 'anonymousId')];
  if (userId) return userId;
  if (!anonymousId) kit.refuse('the event needs a userId or an anonymousId');
  return isSimplified(config) ? `$device:${anonymousId}` : anonymousId;
}

export function eventOf(event: JsonObject, config: JsonObject, name: string): JsonObject {
  refuseBadValues(event);
  const campaign = kit.objectAt(event, 'context.campaign');
  const utm = Object.entries(campaign).map(
    ([key, value]) => [key === 'name' ? 'utm_campaign' : `utm_${key}`, value] as const,
  );
  const isView = event['type'] !== 'track';
  return {
    event: name,
    properties: kit.merged(
      kit.objectAt(event, 'properties'),
      kit.isOn(config, 'dropTraitsInTrackEvent') ? {} : kit.objectAt(event, 'context.traits'),
      { time: null },
      kit.mapFields(event, EVENT),
      kit.objectOf(utm),
      isView ? kit.mapFields(event, { name: 'name', category: 'category' }) : {},
      browserOf(event),
      isSimplified(config) ? kit.compact({ $device_id: kit.textAt(event, 'anonymousId') }) : {},
      { distinct_id: distinctId(event, config) },
    ),
  };
}

export function refuseBadValues(event: JsonObject): void {
  const { messageId, timestamp, originalTimestamp } = event;
  if (messageId !== undefined && typeof messageId !== 'string')
    kit.refuse('messageId must be a text: Mixpanel tells repeated events by it');
  const given = [timestamp, originalTimestamp].filter(kit.isGiven);
  if (given.length > 0 && given.every((time) => kit.toUnixMillis(time) === undefined)) {
    kit.refuse('neither timestamp nor originalTimestamp is a time');
  }
  const age = kit.ageMs(timestamp, Date.now());
  if (age !== undefined && age > AGE_MAX_MS) kit.refuse('timestamp is more than five years ago');
}

export function viewName(event: JsonObject, config: JsonObject, what: 'Page' | 'Screen'): string {
  const template = kit.configText(config, `userDefined${what}EventTemplate`);
  if (!kit.isOn(config, `useUserDefined${what}EventName`) || template === '') return `Loaded a ${what}`;
  return kit.fillTemplate(template, event, kit.NAME_LENGTH_MAX);
}
