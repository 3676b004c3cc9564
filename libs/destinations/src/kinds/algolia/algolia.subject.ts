import type { JsonObject } from '@weir/contracts';
import * as kit from '../../toolkit/index.js';

/** Algolia takes as many per event, and refuses an event with more. */
const OBJECTS_MAX = 20;
const FILTERS_MAX = 10;
/** These events of the e-commerce vocabulary list what they are about as products. */
const WITH_PRODUCTS = ['product list viewed', 'order completed'];

const OBJECT_DATA: kit.Mapping = {
  queryID: { from: ['queryID', 'queryId'], as: kit.onlyText },
  price: { from: 'price', as: money },
  discount: { from: 'discount', as: money },
  quantity: { from: 'quantity', as: kit.toInteger },
};

/**
 * The records that an event is about, or the filters: one of both, never both. A click has the position of each record in the
 * answer to a query, or neither positions nor a query. https://www.algolia.com/doc/guides/sending-events/concepts/event-types
 */
export function subjectOf(event: JsonObject, eventType: string): JsonObject {
  const filters = textsAt(event, 'properties.filters').slice(0, FILTERS_MAX);
  const records = recordsOf(event, eventType);
  const objectIDs = records.objectIDs.slice(0, OBJECTS_MAX);
  if (filters.length > 0 && objectIDs.length > 0) kit.refuse('an event has properties.filters or objectIds, not both');
  if (filters.length > 0) return { filters };
  if (objectIDs.length === 0) kit.refuse('properties.filters or properties.objectIds is required, with an item');
  if (eventType === 'click') return { objectIDs, ...positionsOf(event, records) };
  const objectData = records.objectData?.slice(0, OBJECTS_MAX) ?? [];
  const hasData = eventType === 'conversion' && objectData.some((data) => Object.keys(data).length > 0);
  return { objectIDs, ...(hasData && { objectData }) };
}

interface Records {
  objectIDs: string[];
  positions: unknown;
  /** As many as ids, in the same order. */
  objectData?: JsonObject[];
}

function recordsOf(event: JsonObject, eventType: string): Records {
  const products = WITH_PRODUCTS.includes(kit.commerceKey(kit.eventName(event))) ? kit.productList(event) : [];
  const known = products.filter(({ objectId }) => kit.isGiven(kit.onlyId(objectId)));
  if (known.length === 0) {
    return {
      objectIDs: textsAt(event, 'properties.objectIds'),
      positions: kit.valueAt(event, 'properties.positions'),
    };
  }
  const placed = known.filter(({ position }) => kit.isGiven(position));
  // A click on a list is a click on those of its products that have a position.
  const items = eventType === 'click' && placed.length > 0 ? placed : known;
  return {
    objectIDs: items.map(({ objectId }) => String(objectId)),
    positions: placed.length > 0 ? items.map(({ position }) => position) : undefined,
    objectData: items.map((item) => kit.mapFields(item, OBJECT_DATA)),
  };
}

function positionsOf(event: JsonObject, records: Records): JsonObject {
  const given = kit.onlyArray(records.positions) ?? [];
  const isPlaced = given.length > 0 && given.every(Number.isInteger);
  const hasQuery = kit.isGiven(kit.onlyText(kit.valueAt(event, 'properties.queryId')));
  if (isPlaced !== hasQuery) kit.refuse('a click has properties.queryId and whole numbers as positions, or neither');
  if (!isPlaced) return {};
  if (given.length !== records.objectIDs.length) kit.refuse('a click has as many positions as objectIds');
  return { positions: given.slice(0, OBJECTS_MAX) };
}

/** The texts and numbers of a list. Anything else is no list. */
const textsAt = (event: JsonObject, path: string): string[] =>
  (kit.onlyArray(kit.valueAt(event, path)) ?? []).filter((one) => kit.isGiven(kit.onlyId(one))).map(String);

/** Algolia takes money as a number or as a text. As a text it keeps its digits. */
function money(value: unknown): string | undefined {
  return kit.toNumber(value) === undefined ? undefined : kit.toText(value);
}
