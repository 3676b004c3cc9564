import { isJsonObject, type JsonObject } from '@weir/contracts';
import { defineKind } from '../../define-kind.js';
import * as kit from '../../toolkit/index.js';
import { posthogDeletion } from './posthog.deletion.js';

/** The person. Every event needs one. */
const PERSON: kit.Rule = { from: kit.USER_ID, as: kit.toText, required: true };

/** Fields beside the name, the type and the properties, by type of event (https://posthog.com/docs/api/capture). */
const FIELDS = {
  identify: {
    distinct_id: PERSON,
    timestamp: kit.TIMESTAMP,
    messageId: { from: 'messageId', required: true },
    $set: { from: ['traits', 'context.traits'], as: kit.onlyObject, required: true },
  },
  track: {
    distinct_id: PERSON,
    timestamp: [...kit.TIMESTAMP, 'properties.timestamp'],
    messageId: { from: 'messageId', required: true },
  },
  view: {
    distinct_id: PERSON,
    timestamp: [...kit.TIMESTAMP, 'properties.timestamp'],
    messageId: 'messageId',
    name: 'name',
    category: 'category',
  },
  group: { distinct_id: PERSON, timestamp: kit.TIMESTAMP, messageId: 'messageId' },
  groupBefore: {
    distinct_id: PERSON,
    timestamp: kit.TIMESTAMP,
    messageId: 'messageId',
    groupId: ['groupId', 'traits.groupId'],
    traits: { from: ['traits', 'context.traits'], as: kit.onlyObject },
  },
  alias: { timestamp: kit.TIMESTAMP },
} as const satisfies Record<string, kit.Mapping>;

const ALIAS: kit.Mapping = { distinct_id: PERSON, alias: { from: 'previousId', required: true } };

const SCREEN: kit.Mapping = { $screen_name: 'event' };

const GROUP: kit.Mapping = {
  $group_key: ['groupId', 'traits.groupId'],
  $group_set: { from: 'traits', as: (traits) => (isJsonObject(traits) ? kit.omit(traits, ['groupType']) : undefined) },
  $group_type: 'traits.groupType',
};

/** Properties that PostHog's own libraries send. */
const PROPERTIES: kit.Mapping = {
  distinct_id: { from: ['userId', 'anonymousId'], as: kit.toText },
  $anon_distinct_id: 'anonymousId',
  $set: { from: 'context.traits', as: kit.onlyObject },
  $ip: kit.IP,
  $time: kit.TIMESTAMP,
  $timestamp: kit.TIMESTAMP,
  $current_url: 'context.page.url',
  $pathname: 'context.page.path',
  $performance_page_loaded: 'context.page.loaded',
  $lib: 'context.library.name',
  $lib_version: 'context.library.version',
  $locale: 'context.locale',
  $timezone: 'context.timezone',
  $useragent: 'context.userAgent',
  $os: 'context.os.name',
  $os_version: 'context.os.version',
  $device_id: 'context.device.id',
  $device_manufacturer: 'context.device.manufacturer',
  $device_model: 'context.device.model',
  $device_name: 'context.device.name',
  $network_carrier: 'context.network.carrier',
  $app_name: 'context.app.name',
  $app_version: 'context.app.version',
  $app_build: 'context.app.build',
  $app_namespace: 'context.app.namespace',
  $screen_density: 'context.screen.density',
  $screen_height: 'context.screen.height',
  $screen_width: 'context.screen.width',
  $viewport_height: kit.property('viewport_height'),
  $viewport_width: kit.property('viewport_width'),
  utm_source: 'context.campaign.source',
  utm_medium: 'context.campaign.medium',
  utm_campaign: 'context.campaign.name',
  utm_content: 'context.campaign.content',
  utm_term: 'context.campaign.term',
};

const INSTANCE_DEFAULT = 'https://app.posthog.com';
/** PostHog refuses bodies above 20 MB. Its libraries send 100 events at a time. */
export const posthogBatch = kit.batchBodies('batch', { itemsMax: 100, bytesMax: 5_000_000, shared: ['api_key'] });

const EVENT = {
  type: 'object',
  required: ['event', 'properties'],
  properties: { event: kit.FILLED_TEXT, distinct_id: kit.FILLED_TEXT, properties: { type: 'object' } },
  anyOf: [
    { required: ['distinct_id'] },
    {
      properties: {
        properties: { type: 'object', required: ['distinct_id'], properties: { distinct_id: kit.FILLED_TEXT } },
      },
    },
  ],
};

export default defineKind({
  name: 'POSTHOG',
  displayName: 'PostHog',
  messageTypes: ['identify', 'track', 'page', 'screen', 'group', 'alias'],
  transformAtV1: 'router',
  config: {
    teamApiKey: kit.required(kit.text('Project API key')),
    yourInstance: kit.address('Address, such as https://us.i.posthog.com'),
    useV2Group: kit.flag('Send group events as group analytics'),
    projectId: kit.text('Project id, for deletion'),
    personalApiKey: kit.secret('Personal API key with person:write, for deletion'),
  },
  example: { teamApiKey: 'public-key', yourInstance: 'https://us.i.posthog.com', useV2Group: true, projectId: '1' },
  requests: {
    'POST /batch': {
      type: 'object',
      required: ['api_key'],
      properties: { api_key: kit.FILLED_TEXT, batch: { type: 'array', minItems: 1, items: EVENT } },
      anyOf: [{ required: ['batch'] }, EVENT],
    },
  },
  /** Converts an event to one of https://posthog.com/docs/api/capture. */
  transform(event, config) {
    const own = kit.objectAt(event, 'properties');
    const body = kit.byType(event, {
      identify: () => eventOf(event, '$identify', 'identify', FIELDS.identify),
      track: () => eventOf(event, kit.eventName(event), 'capture', FIELDS.track, own),
      page: () => eventOf(event, '$pageview', 'page', FIELDS.view, own),
      screen: () => eventOf(event, '$screen', 'screen', FIELDS.view, kit.merged(kit.mapFields(event, SCREEN), own)),
      group: () =>
        kit.isOn(config, 'useV2Group')
          ? eventOf(event, '$groupidentify', 'group', FIELDS.group, groupOf(event))
          : eventOf(event, '$groupidentify', 'group', FIELDS.groupBefore),
      alias: () => eventOf(event, '$create_alias', 'alias', FIELDS.alias, kit.mapFields(event, ALIAS)),
    });
    const instance = kit.withoutEndSlashes(kit.configText(config, 'yourInstance') || INSTANCE_DEFAULT);
    return [kit.jsonRequest(`${instance}/batch`, { ...body, api_key: kit.requiredText(config, 'teamApiKey') })];
  },
  batch: posthogBatch,
  deletion: posthogDeletion,
});

/** The event's own properties win over those that a library would add. An identify has its traits beside them. */
function eventOf(event: JsonObject, name: string, type: string, fields: kit.Mapping, own: JsonObject = {}): JsonObject {
  const generated = kit.omit(automatic(event), type === 'identify' ? ['$set'] : []);
  return { ...kit.mapFields(event, fields), event: name, type, properties: kit.merged(generated, own) };
}

/** Properties that a library in the browser or app would add. */
function automatic(event: JsonObject): JsonObject {
  const found = kit.mapFields(event, PROPERTIES);
  const { browser, browserVersion, os } =
    event['channel'] === 'web' ? kit.parseUserAgent(kit.valueAt(event, 'context.userAgent')) : {};
  return {
    ...found,
    ...kit.compact({ $host: hostOf(found['$current_url']), $browser: browser, $browser_version: browserVersion }),
    ...(os && { $os: os }),
  };
}

function hostOf(address: unknown): string | undefined {
  const isShort = typeof address === 'string' && address.length <= kit.ADDRESS_LENGTH_MAX;
  return isShort ? URL.parse(address)?.host || undefined : undefined;
}

/** Group analytics. The group is attached only if both its type and its key are known. */
function groupOf(event: JsonObject): JsonObject {
  const group = kit.mapFields(event, GROUP);
  const { $group_type: type, $group_key: key } = group;
  return type && key ? { ...group, $groups: { [String(type)]: key } } : group;
}
