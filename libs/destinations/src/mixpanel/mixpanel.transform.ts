import type { JsonObject } from '@weir/contracts';
import type { Payload } from '../kind.js';
import * as kit from '../toolkit/index.js';
import { EVENT } from './mixpanel.fields.js';
import { browserOf, profileUpdates } from './mixpanel.profile.js';

/** `/import` takes 2,000 events and 10 MB, `/engage` and `/groups` 2,000 updates. */
export const mixpanelBatch = kit.batchArrays({ itemsMax: 2_000, bytesMax: 5_000_000 });

/** `/import` refuses what is older. */
const AGE_MAX_MS = 5 * 365.25 * 86_400_000;

/** Events to `/import`, people to `/engage`, groups to `/groups`: https://developer.mixpanel.com/reference/overview */
export function mixpanelTransform(event: JsonObject, config: JsonObject): Payload[] {
  const to = requests(event, config);
  return kit.byType(event, {
    identify: () => [...identify(event, config).map(to.engage), ...merge(event, config).map(to.import)],
    track: () => {
      const name = kit.eventName(event);
      return [
        ...revenue(event).map(to.engage),
        ...increments(event, config, name).map(to.engage),
        to.import(eventOf(event, config, name)),
      ];
    },
    page: () => [to.import(eventOf(event, config, viewName(event, config, 'Page')))],
    screen: () => [to.import(eventOf(event, config, viewName(event, config, 'Screen')))],
    group: () =>
      groups(event, config).flatMap(({ key, values }) => [
        to.engage({ $set: { [key]: values }, ...ip(event) }),
        ...values.map((value) => to.group(key, value)),
      ]),
    alias: () => {
      if (isSimplified(config)) kit.refuse('projects with simplified identity merge have no aliases');
      const properties = {
        distinct_id: kit.textAt(event, ['previousId', 'anonymousId']),
        alias: kit.textAt(event, 'userId'),
      };
      return [to.import({ event: '$create_alias', properties })];
    },
  });
}

function requests(event: JsonObject, config: JsonObject) {
  const token = kit.requiredText(config, 'token');
  const region = kit.configText(config, 'dataResidency').toLowerCase();
  const host = `https://api${region === 'eu' || region === 'in' ? `-${region}` : ''}.mixpanel.com`;
  const userId = kit.textAt(event, ['userId', 'anonymousId']);
  const verbose = { params: { verbose: 2 }, userId };
  const strict = {
    params: { strict: kit.isOn(config, 'strictMode') ? 1 : 0 },
    headers: kit.basicAuth(token, ''),
    userId,
  };
  return {
    import: ({ properties, ...item }: JsonObject): Payload =>
      kit.jsonArrayRequest(
        `${host}/import/`,
        [{ ...item, properties: { ...kit.objectAt({ properties }, 'properties'), token } }],
        strict,
      ),
    engage: (update: JsonObject): Payload =>
      kit.jsonArrayRequest(
        `${host}/engage/`,
        [{ ...update, $token: token, $distinct_id: distinctId(event, config) }],
        verbose,
      ),
    group: (key: string, value: unknown): Payload => {
      const update = { $token: token, $group_key: key, $group_id: value, $set: kit.objectAt(event, 'traits') };
      return kit.jsonArrayRequest(`${host}/groups/`, [update], verbose);
    },
  };
}

const isSimplified = (config: JsonObject) => config['identityMergeApi'] === 'simplified';

/** With simplified identities, devices have ids of their own form. */
function distinctId(event: JsonObject, config: JsonObject): string {
  const [userId, anonymousId] = [kit.textAt(event, 'userId'), kit.textAt(event, 'anonymousId')];
  if (userId) return userId;
  if (!anonymousId) kit.refuse('the event needs a userId or an anonymousId');
  return isSimplified(config) ? `$device:${anonymousId}` : anonymousId;
}

const ip = (event: JsonObject) => kit.compact({ $ip: kit.textAt(event, ['context.ip', 'request_ip']) });

function eventOf(event: JsonObject, config: JsonObject, name: string): JsonObject {
  refuseBadValues(event);
  const campaign = kit.objectAt(event, 'context.campaign');
  const utm = Object.entries(campaign).map(([key, value]) => [key === 'name' ? 'utm_campaign' : `utm_${key}`, value]);
  const isView = event['type'] !== 'track';
  return {
    event: name,
    properties: {
      ...kit.objectAt(event, 'properties'),
      ...(kit.isOn(config, 'dropTraitsInTrackEvent') ? {} : kit.objectAt(event, 'context.traits')),
      time: null,
      ...kit.mapFields(event, EVENT),
      ...Object.fromEntries(utm),
      ...(isView && kit.mapFields(event, { name: 'name', category: 'category' })),
      ...browserOf(event),
      ...(isSimplified(config) && kit.compact({ $device_id: kit.textAt(event, 'anonymousId') })),
      distinct_id: distinctId(event, config),
    },
  };
}

function refuseBadValues(event: JsonObject): void {
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

function viewName(event: JsonObject, config: JsonObject, what: 'Page' | 'Screen'): string {
  const template = kit.configText(config, `userDefined${what}EventTemplate`);
  if (!kit.isOn(config, `useUserDefined${what}EventName`) || template === '') return `Loaded a ${what}`;
  return kit.fillTemplate(template, event);
}

function identify(event: JsonObject, config: JsonObject): JsonObject[] {
  const at = kit.toUnixMillis(kit.firstAt(event, kit.TIMESTAMP)) ?? null;
  const isInactive = kit.valueAt(event, 'context.active') === false;
  return profileUpdates(event, config).map(([operation, values]) => ({
    [operation]: values,
    ...(operation === '$set' && { ...ip(event), $time: at, ...(isInactive && { $ignore_time: true }) }),
  }));
}

/** Simplified projects merge by themselves, by the ids of each event. */
function merge(event: JsonObject, config: JsonObject): JsonObject[] {
  const ids = [kit.textAt(event, 'userId'), kit.textAt(event, 'anonymousId')];
  if (isSimplified(config) || !ids.every(Boolean)) return [];
  return [{ event: '$merge', properties: { $distinct_ids: ids } }];
}

function revenue(event: JsonObject): JsonObject[] {
  const amount = kit.valueAt(event, 'properties.revenue');
  if (!amount) return [];
  refuseBadValues(event);
  const times = kit.TIMESTAMP.map((path) => kit.toIso(kit.valueAt(event, path)));
  return [{ $append: { $transactions: kit.compact({ $time: times.find(Boolean), $amount: amount }) } }];
}

function increments(event: JsonObject, config: JsonObject, name: string): JsonObject[] {
  const properties = kit.objectAt(event, 'properties');
  const names = kit.configWords(config, 'propIncrements', 'property');
  const add = Object.fromEntries(names.filter((key) => properties[key]).map((key) => [key, properties[key]]));
  const counted = kit.configWords(config, 'eventIncrements', 'property').includes(name) ? { [name]: 1 } : {};
  return kit.isEmpty({ ...add, ...counted }) ? [] : [{ $add: { ...add, ...counted } }];
}

function groups(event: JsonObject, config: JsonObject): { key: string; values: unknown[] }[] {
  const keys = kit.configWords(config, 'groupKeySettings', 'groupKey');
  const found = keys.map((key) => {
    const value =
      key === 'groupId'
        ? (event['groupId'] ?? kit.valueAt(event, 'traits.groupId'))
        : kit.valueAt(event, `traits.${key}`);
    return { key, values: [value].flat().filter(kit.isGiven) };
  });
  const given = found.filter(({ values }) => values.length > 0);
  if (given.length === 0) kit.refuse('the traits hold none of the group keys of groupKeySettings');
  return given;
}
