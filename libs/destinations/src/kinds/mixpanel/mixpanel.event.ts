import { isJsonObject, type JsonObject } from '@weir/contracts';
import * as kit from '../../toolkit/index.js';
import { browserOf, EVENT } from './mixpanel.fields.js';

/** Senders expect older events to be refused. */
const AGE_MAX_MS = 5 * 365.25 * 86_400_000;
/** Mixpanel takes 36 characters. Message ids differ at the end. */
const INSERT_ID_LENGTH_MAX = 36;

/** Where the project keeps its data. */
export const regionOf = ({ dataResidency }: JsonObject): 'us' | 'eu' | 'in' =>
  dataResidency === 'eu' || dataResidency === 'in' ? dataResidency : 'us';

export const isSimplified = (config: JsonObject) => config['identityMergeApi'] === 'simplified';

/** With simplified identities, device ids have their own form. */
export function distinctId(event: JsonObject, config: JsonObject): string | undefined {
  const [userId, anonymousId] = [kit.textAt(event, 'userId'), kit.textAt(event, 'anonymousId')];
  if (userId || !anonymousId) return userId;
  return isSimplified(config) ? `$device:${anonymousId}` : anonymousId;
}

/** An event of a track. Traits of the context win over properties. */
export function trackEvent(event: JsonObject, config: JsonObject): JsonObject {
  const { messageId } = event;
  if (messageId && typeof messageId !== 'string') kit.refuse('messageId must be a text: Mixpanel tells repeats by it');
  const traits = kit.isOn(config, 'dropTraitsInTrackEvent') ? {} : kit.objectAt(event, 'context.traits');
  const properties = propertiesOf(event, config, kit.merged(kit.objectAt(event, 'properties'), traits));
  const id = kit.onlyText(messageId)?.slice(-INSERT_ID_LENGTH_MAX);
  return { event: kit.eventName(event), properties: checked(kit.merged(properties, id ? { $insert_id: id } : {})) };
}

/** An event of a page or screen. Properties win over traits of the context. */
export function viewEvent(event: JsonObject, config: JsonObject, what: 'Page' | 'Screen'): JsonObject {
  const own = kit.merged(kit.objectAt(event, 'context.traits'), kit.objectAt(event, 'properties'));
  const named = kit.pick(kit.only(event, ['name', 'category']), Boolean);
  const properties = kit.merged(propertiesOf(event, config, own), named);
  return { event: viewName(event, config, what), properties: checked(properties) };
}

function propertiesOf(event: JsonObject, config: JsonObject, own: JsonObject): JsonObject {
  refuseOld(event);
  const { name, ...campaign } = kit.objectAt(event, 'context.campaign');
  const utm = Object.entries(campaign).map(([key, value]) => [`utm_${key}`, value] as const);
  return kit.merged(
    own,
    kit.mapFields(event, EVENT),
    kit.compact({ token: kit.configText(config, 'token') || undefined, distinct_id: distinctId(event, config) }),
    { time: timeOf(event) },
    kit.objectOf(utm),
    kit.compact({ utm_campaign: name }),
    isSimplified(config) ? kit.compact({ $device_id: kit.textAt(event, 'anonymousId') }) : {},
    browserOf(event),
  );
}

/** Milliseconds since 1970. A value that is not a time is sent as null, and Mixpanel says so. */
export const timeOf = (event: JsonObject): number | null => kit.toUnixMillis(kit.firstAt(event, kit.TIMESTAMP)) ?? null;

export function refuseOld(event: JsonObject): void {
  const age = kit.ageMs(event['timestamp'], Date.now());
  if (age !== undefined && age > AGE_MAX_MS) kit.refuse('timestamp is more than five years ago');
}

const BYTES_MAX = 1_048_576;
const KEYS_MAX = 254;
const ITEMS_MAX = 255;

/** Limits of `/import` for an event, https://docs.mixpanel.com/reference/import-events */
function checked(properties: JsonObject): JsonObject {
  refuseWide(properties);
  if (Buffer.byteLength(JSON.stringify(properties)) > BYTES_MAX)
    kit.refuse(`the event has more than ${BYTES_MAX} bytes`);
  return properties;
}

function refuseWide(value: unknown): void {
  if (Array.isArray(value)) {
    if (value.length > ITEMS_MAX) kit.refuse(`a list of the event has more than ${ITEMS_MAX} items`);
    value.forEach(refuseWide);
  } else if (isJsonObject(value)) {
    const inside = Object.values(value);
    if (inside.length > KEYS_MAX) kit.refuse(`an object of the event has more than ${KEYS_MAX} keys`);
    inside.forEach(refuseWide);
  }
}

function viewName(event: JsonObject, config: JsonObject, what: 'Page' | 'Screen'): string {
  if (!kit.isOn(config, `useUserDefined${what}EventName`)) return `Loaded a ${what}`;
  const key = `userDefined${what}EventTemplate`;
  const withCategory = filled(kit.requiredText(config, key), 'category', kit.valueAt(event, 'properties.category'));
  const name = filled(withCategory, 'name', event['name']).slice(0, kit.NAME_LENGTH_MAX);
  if (name.trim() === '') kit.refuse(`the name of ${what.toLowerCase()} events has no value`);
  return name;
}

/** Without a value, a placeholder between two words leaves one space. At an end of the template it stays. */
function filled(template: string, word: 'category' | 'name', value: unknown): string {
  const text = kit.toText(value)?.slice(0, kit.NAME_LENGTH_MAX);
  if (text !== undefined) return template.replace(PLACEHOLDERS[word].given, () => text);
  return template.replace(PLACEHOLDERS[word].absent, ' ');
}

const PLACEHOLDERS = {
  category: { given: /\{\{ *category *\}\}/g, absent: /\s\{\{ *category *\}\}\s/g },
  name: { given: /\{\{ *name *\}\}/g, absent: /\s\{\{ *name *\}\}\s/g },
};
