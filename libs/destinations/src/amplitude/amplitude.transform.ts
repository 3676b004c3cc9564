import type { JsonObject } from '@weir/contracts';
import type { Payload } from '../kind.js';
import { restPayload } from '../payload.js';
import * as kit from '../toolkit/index.js';
import { eventOf, options, trackEvents, viewOf } from './amplitude.events.js';
import { attribution, identified } from './amplitude.user.js';

/** Limit: 2,000 events and 1 MB, https://amplitude.com/docs/apis/analytics/http-v2#upload-limit */
export const amplitudeBatch = kit.batchLists(['events'], { itemsMax: 1_000, bytesMax: 950_000 });

/** The requests to Amplitude for an event: `/2/httpapi`, and `/groupidentify` and `/usermap` for groups and aliases. */
export function amplitudeTransform(event: JsonObject, config: JsonObject): Payload[] {
  const send = (...events: JsonObject[]) => events.map((item) => request(event, config, item));
  const common = (more: JsonObject) => eventOf(event, config, more);
  return kit.byType(event, {
    identify: () => {
      const osVersion = kit.textAt(event, kit.trait('os_version'));
      const user_properties = identified(event, config);
      return send(common({ event_type: '$identify', user_properties, ...(osVersion && { os_version: osVersion }) }));
    },
    track: () => send(...trackEvents(event, config)),
    page: () => send(common(viewOf(event, config, 'Page'))),
    screen: () => send(common(viewOf(event, config, 'Screen'))),
    group: () => {
      const group = groupOf(event, config);
      const groups = { [group.group_type]: group.group_value };
      const user_properties = { ...attribution(event), ...groups };
      const identification = { ...group, group_properties: kit.objectAt(event, 'traits') };
      return [
        ...send(common({ event_type: '$identify', user_properties, groups })),
        form(event, config, 'groupidentify', { identification: [JSON.stringify(identification)] }),
      ];
    },
    alias: () => [form(event, config, 'usermap', { mapping: [JSON.stringify(aliasOf(event))] })],
  });
}

function groupOf(event: JsonObject, config: JsonObject): { group_type: string; group_value: string | number } {
  const traits = kit.objectAt(event, 'traits');
  const type = kit.valueAt(traits, kit.configText(config, 'groupTypeTrait') || '-');
  const value = kit.valueAt(traits, kit.configText(config, 'groupValueTrait') || '-');
  if (typeof type !== 'string' || (typeof value !== 'string' && typeof value !== 'number')) {
    kit.refuse('the traits named by groupTypeTrait and groupValueTrait must be texts');
  }
  return { group_type: type, group_value: value };
}

function aliasOf(event: JsonObject): JsonObject {
  const user_properties = attribution(event);
  const person = { user_id: event['previousId'], ...(!kit.isEmpty(user_properties) && { user_properties }) };
  const { unmap } = options(event);
  if (unmap) return { ...person, user_id: unmap, unmap: true };
  return { global_user_id: kit.textAt(event, kit.KNOWN_USER_ID), ...kit.compact(person) };
}

const host = (config: JsonObject) =>
  config['residencyServer'] === 'EU' ? 'https://api.eu.amplitude.com' : 'https://api2.amplitude.com';
const anonymousId = (event: JsonObject) => ({ userId: kit.textAt(event, 'anonymousId') });

/** Allows ids of one character. Amplitude requires five by default. */
const request = (event: JsonObject, config: JsonObject, item: JsonObject): Payload =>
  kit.jsonRequest(
    `${host(config)}/2/httpapi`,
    { api_key: kit.requiredText(config, 'apiKey'), events: [item], options: { min_id_length: 1 } },
    anonymousId(event),
  );

const form = (event: JsonObject, config: JsonObject, path: string, fields: JsonObject): Payload =>
  restPayload({
    method: 'POST',
    endpoint: `${host(config)}/${path}`,
    body: { FORM: { api_key: kit.requiredText(config, 'apiKey'), ...fields } },
    ...anonymousId(event),
  });
