import { isJsonObject, type JsonObject } from '@weir/contracts';
import type { Payload } from '../kind.js';
import * as kit from '../toolkit/index.js';
import { EVENT, PROPERTIES } from './posthog.fields.js';

const INSTANCE_DEFAULT = 'https://app.posthog.com';
/** PostHog refuses bodies above 20 MB. Its libraries send 100 events at a time. */
export const posthogBatch = kit.batchBodies('batch', { itemsMax: 100, bytesMax: 5_000_000, shared: ['api_key'] });

/** Converts an event to one of https://posthog.com/docs/api/capture. */
export function posthogTransform(event: JsonObject, config: JsonObject): Payload[] {
  if (kit.firstAt(event, kit.USER_ID) === undefined) kit.refuse('userId or anonymousId is required');
  const body = kit.byType(event, {
    identify: () => ({ ...eventOf(event, '$identify'), type: 'identify' }),
    track: () => ({ ...eventOf(event, kit.eventName(event)), type: 'capture' }),
    page: () => ({ ...eventOf(event, '$pageview'), type: 'page' }),
    screen: () => ({
      ...eventOf(event, '$screen', { $screen_name: kit.textAt(event, kit.PAGE_NAME) }),
      type: 'screen',
    }),
    group: () => ({ ...groupOf(event, config), type: 'group' }),
    alias: () => ({
      ...kit.omit(eventOf(event, '$create_alias', { alias: event['previousId'] }), ['distinct_id']),
      type: 'alias',
    }),
  });
  const instance = kit.withoutEndSlashes(kit.configText(config, 'yourInstance') || INSTANCE_DEFAULT);
  return [kit.jsonRequest(`${instance}/batch`, { ...body, api_key: kit.requiredText(config, 'teamApiKey') })];
}

function eventOf(event: JsonObject, name: string, more: JsonObject = {}): JsonObject {
  const custom = event['type'] === 'group' ? {} : kit.objectAt(event, 'properties');
  const properties = kit.merged(automatic(event), setOf(event), custom, kit.compact(more));
  return { ...kit.mapFields(event, EVENT), event: name, properties };
}

/** Properties that a library in the browser or app would add. */
function automatic(event: JsonObject): JsonObject {
  const { browser, browserVersion, os } = kit.parseUserAgent(kit.valueAt(event, 'context.userAgent'));
  const page = kit.textAt(event, 'context.page.url') ?? '';
  const isAddress = page.length <= kit.ADDRESS_LENGTH_MAX && URL.canParse(page);
  const host = isAddress ? new URL(page).host : undefined;
  const found = kit.compact({ $os: os, $browser: browser, $browser_version: browserVersion, $host: host });
  return { ...found, ...kit.mapFields(event, PROPERTIES) };
}

/** Properties of the person. The traits of a group event belong to the group. */
function setOf(event: JsonObject): JsonObject {
  const inContext = kit.valueAt(event, 'context.traits');
  const traits =
    event['type'] === 'identify'
      ? kit.traitsOf(event)
      : (inContext ?? (event['type'] === 'group' ? {} : event['traits']));
  return isJsonObject(traits) && !kit.isEmpty(traits) ? { $set: traits } : {};
}

/** Uses group analytics if enabled, otherwise the form that older instances know. */
function groupOf(event: JsonObject, config: JsonObject): JsonObject {
  const traits = kit.objectAt(event, 'traits');
  if (!kit.isOn(config, 'useV2Group')) {
    return {
      ...eventOf(event, '$groupidentify'),
      ...kit.compact({ groupId: event['groupId'], traits: event['traits'] }),
    };
  }
  const [type, key] = [kit.textAt(traits, ['groupType', 'group_type']), kit.textAt(event, 'groupId')];
  if (!type || !key) kit.refuse('traits.groupType and groupId are required');
  const group = { $group_type: type, $group_key: key, $group_set: kit.omit(traits, ['groupType', 'group_type']) };
  return eventOf(event, '$groupidentify', { ...group, $groups: { [type]: key } });
}
