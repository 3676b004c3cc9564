import type { JsonObject } from '@weir/contracts';
import { defineKind } from '../../define-kind.js';
import * as kit from '../../toolkit/index.js';
import { algoliaRequests } from './algolia.requests.js';
import { subjectOf } from './algolia.subject.js';

/** https://www.algolia.com/doc/rest-api/insights/push-events: routed to the closest of Algolia's regions. */
const ADDRESS = 'https://insights.algolia.io/1/events';

const TYPES: Readonly<Record<string, string>> = { click: 'click', view: 'view', conversion: 'conversion' };
const SUBTYPES = kit.oneOf({ addtocart: 'addToCart', purchase: 'purchase' });

const EVENT: kit.Mapping = {
  index: { from: 'properties.index', as: kit.onlyText, required: true },
  userToken: { from: kit.USER_ID, as: [kit.onlyId, kit.toText], required: true },
  queryID: { from: 'properties.queryId', as: kit.onlyText },
  timestamp: { from: 'properties.timestamp', as: kit.toUnixMillis },
};
/** Algolia knows money only of conversions. */
const CONVERSION: kit.Mapping = {
  eventSubtype: { from: 'properties.eventSubtype', as: SUBTYPES },
  value: { from: 'properties.value', as: kit.toNumber },
  currency: { from: kit.CURRENCY, as: kit.onlyText },
};

export default defineKind({
  name: 'ALGOLIA',
  displayName: 'Algolia',
  messageTypes: ['track'],
  transformAtV1: 'router',
  config: {
    apiKey: kit.required(kit.secret('API key with the right to search')),
    applicationId: kit.required(kit.secret('Application ID')),
    eventTypeSettings: kit.listOf(
      ['from', 'to'],
      'Events and their type: click, view or conversion. A type in the event itself wins',
    ),
  },
  example: { eventTypeSettings: [{ from: 'Order Completed', to: 'conversion' }] },
  requests: algoliaRequests,
  transform(event, config) {
    const headers = {
      'x-algolia-application-id': kit.requiredText(config, 'applicationId'),
      'x-algolia-api-key': kit.requiredText(config, 'apiKey'),
    };
    const send = (insight: JsonObject) =>
      kit.restPayload({ method: 'POST', endpoint: ADDRESS, headers, body: { JSON: { events: [insight] } } });
    return kit.byType(event, { track: () => [send(insightOf(event, config))] });
  },
  /** The page of the address above: 1,000 events and 2 MB per request. */
  batch: kit.batchLists(['events'], { itemsMax: 1_000, bytesMax: 1_900_000 }),
});

function insightOf(event: JsonObject, config: JsonObject): JsonObject {
  const eventName = kit.eventName(event).trim().toLowerCase();
  const eventType = typeOf(event, config, eventName);
  return {
    ...{ eventName, eventType },
    ...kit.mapFields(event, EVENT),
    ...(eventType === 'conversion' && kit.mapFields(event, CONVERSION)),
    ...subjectOf(event, eventType),
  };
}

/** The type that the event names, or that of its name in the configuration. */
function typeOf(event: JsonObject, config: JsonObject, eventName: string): string {
  const configured = kit
    .configPairs(config, 'eventTypeSettings')
    .findLast(([from]) => from.toLowerCase() === eventName);
  const given = kit.firstAt([kit.valueAt(event, 'properties.eventType'), configured?.[1]], ['0', '1']);
  if (given === undefined) kit.refuse('properties.eventType is required, or a setting of eventTypeSettings');
  const type = kit.normalizedWord(kit.onlyText(given) ?? '');
  return kit.lookedUp(TYPES, type) ?? kit.refuse('properties.eventType must be click, view or conversion');
}
