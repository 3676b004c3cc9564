import type { JsonObject } from '@weir/contracts';
import * as kit from '../toolkit/index.js';
import { isSimplified, refuseBadValues } from './mixpanel.event.js';
import { profileUpdates } from './mixpanel.profile.js';

export const ip = (event: JsonObject) => kit.compact({ $ip: kit.textAt(event, ['context.ip', 'request_ip']) });

export function identify(event: JsonObject, config: JsonObject): JsonObject[] {
  const at = kit.toUnixMillis(kit.firstAt(event, kit.TIMESTAMP)) ?? null;
  const isInactive = kit.valueAt(event, 'context.active') === false;
  return profileUpdates(event, config).map(([operation, values]) => ({
    [operation]: values,
    ...(operation === '$set' && { ...ip(event), $time: at, ...(isInactive && { $ignore_time: true }) }),
  }));
}

/** Simplified projects need no merge events, because they merge by the ids of each event. */
export function merge(event: JsonObject, config: JsonObject): JsonObject[] {
  const ids = [kit.textAt(event, 'userId'), kit.textAt(event, 'anonymousId')];
  if (isSimplified(config) || !ids.every(Boolean)) return [];
  return [{ event: '$merge', properties: { $distinct_ids: ids } }];
}

export function revenue(event: JsonObject): JsonObject[] {
  const amount = kit.valueAt(event, 'properties.revenue');
  if (!amount) return [];
  refuseBadValues(event);
  const times = kit.TIMESTAMP.map((path) => kit.toIso(kit.valueAt(event, path)));
  return [{ $append: { $transactions: kit.compact({ $time: times.find(Boolean), $amount: amount }) } }];
}

export function increments(event: JsonObject, config: JsonObject, name: string): JsonObject[] {
  const properties = kit.objectAt(event, 'properties');
  const names = kit.configWords(config, 'propIncrements', 'property');
  const add = kit.objectOf(names.filter((key) => properties[key]).map((key) => [key, properties[key]]));
  const counted = kit.configWords(config, 'eventIncrements', 'property').includes(name) ? { [name]: 1 } : {};
  return kit.isEmpty({ ...add, ...counted }) ? [] : [{ $add: { ...add, ...counted } }];
}

export function groups(event: JsonObject, config: JsonObject): { key: string; values: unknown[] }[] {
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
