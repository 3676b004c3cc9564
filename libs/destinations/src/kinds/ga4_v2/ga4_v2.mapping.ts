import { isJsonObject, type JsonObject } from '@weir/contracts';
import { mapped } from '../../expressions/mapped.js';
import * as kit from '../../toolkit/index.js';
import { checkEventName, isUserProperty } from '../ga4/ga4.names.js';
import { allParams, type NamedEvent } from '../ga4/ga4.params.js';

interface MappedEvent extends NamedEvent {
  /** Ids and user properties that the mapping fills. */
  given: JsonObject;
}

/** One event for each mapping of this name: its own parameters over those that the event has without it. */
export function mappedEvents(
  event: JsonObject,
  config: JsonObject,
  name: string,
  byDefault: (name: string, left: readonly string[]) => NamedEvent,
): MappedEvent[] {
  const mappings = kit
    .configList(config, 'eventsMapping')
    .filter(({ rsEventName }) => kit.toText(rsEventName) === name);
  return mappings.map((mapping) => {
    const sent =
      kit.onlyText(mapping['destEventName'])?.trim() || kit.refuse(`the mapping of ${name} needs destEventName`);
    checkEventName(sent);
    const body = mapped(event, mapping, 'eventProperties');
    const own = kit.objectAt(body, 'events.0.params');
    // products are items of Google's, and not parameters beside them
    const { params } = byDefault(sent, Array.isArray(own['items']) ? ['products'] : []);
    return { name: sent, params: allParams(params, withItems(own)), given: givenBy(body) };
  });
}

const withItems = (own: JsonObject): JsonObject =>
  Array.isArray(own['items']) ? { ...own, items: own['items'].filter(isJsonObject) } : kit.omit(own, ['items']);

/** Mappings name user properties as libraries of Google's do, or as the Measurement Protocol does. */
function givenBy(body: JsonObject): JsonObject {
  const properties = kit.merged(kit.objectAt(body, 'userProperties'), kit.objectAt(body, 'user_properties'));
  return {
    ...kit.only(body, ['client_id', 'app_instance_id', 'user_id']),
    user_properties: kit.pick(properties, (property, key) => isUserProperty(key, kit.valueAt(property, 'value'))),
  };
}
