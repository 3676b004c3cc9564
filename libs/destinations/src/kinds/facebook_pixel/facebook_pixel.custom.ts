import type { JsonObject } from '@weir/contracts';
import { OF_EVENT, withoutPersonal } from '../../facebook/personal.js';
import * as kit from '../../toolkit/index.js';
import { commerceData, type StandardEvent, withRevenueAsValue } from './facebook_pixel.commerce.js';

/** Lists that Facebook knows. All other lists and objects become flat keys. */
const LISTS = ['content_ids', 'contents'];

interface Custom {
  /** An event about products. */
  standard?: StandardEvent;
  /** The event has a name of Facebook's. */
  isStandard?: boolean;
  options: JsonObject;
  isHashed: boolean;
}

/** Data of an event: its properties without personal ones, flat, and what Facebook's names for the event ask for. */
export function customData(
  event: JsonObject,
  config: JsonObject,
  { standard, isStandard, ...how }: Custom,
): JsonObject {
  const properties = kit.objectAt(event, 'properties');
  if (isStandard && kit.isEmpty(kit.omit(properties, OF_EVENT))) {
    kit.refuse(`a standard event of Facebook needs properties beside ${OF_EVENT.join(', ')}`);
  }
  const flat = flattened(withoutPersonal(properties, config, how.isHashed));
  return standard
    ? kit.merged(flat, commerceData(event, config, standard, how.options))
    : withRevenueAsValue(flat, properties['revenue']);
}

function flattened(properties: JsonObject): JsonObject {
  const lists = kit.pick(kit.only(properties, LISTS), (value) => Array.isArray(value));
  return kit.merged(kit.flatten(withIsoDates(kit.omit(properties, Object.keys(lists)))), lists);
}

/** Dates of journeys, which have a form of their own. */
const DATES = [
  ...['checkinDate', 'checkoutDate', 'departingArrivalDate', 'departingDepartureDate', 'returningArrivalDate'],
  ...['returningDepartureDate', 'travelEnd', 'travelStart'],
];
const LOCAL = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2})?)?$/;

/** Facebook takes these dates in ISO form without a zone. A date with a zone becomes that of UTC. */
function withIsoDates(properties: JsonObject): JsonObject {
  const dates = Object.entries(kit.only(properties, DATES)).map(([key, value]) => [key, isoDate(value)] as const);
  return dates.length === 0 ? properties : kit.merged(properties, kit.objectOf(dates));
}

function isoDate(value: unknown): unknown {
  const isLocal = typeof value !== 'string' || LOCAL.test(value);
  return isLocal ? value : (kit.toIso(value)?.slice(0, 19) ?? value);
}
